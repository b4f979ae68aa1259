/** The URL of an application as a protected resource; its pairs are below it. */
export function applicationResource(publicUrl: string, applicationId: string): string {
  return `${publicUrl}/mcp/${applicationId}`;
}

/** The MCP URL of one attached integration as a protected resource. */
export function pairResource(
  publicUrl: string,
  applicationId: string,
  integrationId: string,
): string {
  return `${applicationResource(publicUrl, applicationId)}/${integrationId}`;
}

/**
 * The one spelling of a resource by which grants and tokens name it (RFC 8707 section 2). Paths of our
 * own origin hold nothing but ids and literals, so their case means nothing.
 */
export function canonicalResource(publicUrl: string, uri: string): string {
  const { href } = new URL(uri);
  const isOwn = href.startsWith(`${publicUrl}/`);
  return (isOwn ? href.toLowerCase() : href).replace(/\/$/, '');
}
