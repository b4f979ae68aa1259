/** A JSON pointer (RFC 6901) to the value at a path of property names and indexes. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
