const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/i;

/**
 * Whether a redirect URI is among the registered ones: equal character by character, except for the port
 * of a loopback address, which a native application does not know in advance (RFC 8252 section 7.3).
 */
export function isRegisteredRedirectUri(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const portless = withoutPort(uri);
  return portless !== undefined && registered.some((other) => withoutPort(other) === portless);
}

/** Undefined for what is no loopback URI. */
function withoutPort(uri: string): string | undefined {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  return host === undefined ? undefined : `${host.toLowerCase()}${rest}`;
}
