/** The name at the one URL of a tool that its integration calls `search`. */
export function exampleOf(alias: string): string {
  return alias === '' ? 'search' : `${alias}__search`;
}
