const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origins of our own pages. A service on this machine alone has three names, and people type any of
 * them; each keeps its own cookies.
 */
export function ownOriginsOf(publicUrl: string): ReadonlySet<string> {
  const { origin, hostname, port, protocol } = new URL(publicUrl);
  if (!LOOPBACK_NAMES.includes(hostname)) return new Set([origin]);
  const authority = port === '' ? '' : `:${port}`;
  return new Set(LOOPBACK_NAMES.map((name) => `${protocol}//${name}${authority}`));
}
