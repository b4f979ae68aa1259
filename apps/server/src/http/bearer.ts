const SCHEME = /^bearer +([\x21-\x7e]{1,8192}) *$/i;

/**
 * The bearer token of an `Authorization` header (RFC 6750 section 2.1); `undefined` when there is none,
 * `null` when the header is there but is not one.
 */
export function bearerTokenOf(header: string | undefined): string | null | undefined {
  if (header === undefined) return undefined;
  return SCHEME.exec(header)?.[1] ?? null;
}

/** Node keeps one of several `Authorization` headers and all but one `Host`: which, is not for us to guess. */
export function hasRepeatedIdentity(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  return hosts > 1 || authorizations > 1;
}
