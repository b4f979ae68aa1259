/**
 * Whether a URL is on the service's own host, by either scheme. An integration there would be a call of
 * the gateway to itself.
 */
export function isOnOwnHost(url: string | URL, publicUrl: string): boolean {
  return hostOf(url) === hostOf(publicUrl);
}

/** Name and port, without a port that is the default of its scheme, and without the dot of a full name. */
function hostOf(url: string | URL): string {
  const { hostname, port } = new URL(url);
  return `${hostname.replace(/\.+$/, '')}:${port}`;
}

/** What a refusal says. */
export const OWN_HOST_DENIED =
  'The URL is on the host of this service itself. Register the MCP server that is to be called.';
