/**
 * A protected resource of ours (RFC 9728), and so the audience of an OAuth token (RFC 8707): one
 * integration in one application, all integrations of one application, or the management API.
 */
export type Resource =
  | { readonly kind: 'pair'; readonly applicationId: string; readonly integrationId: string }
  | { readonly kind: 'application'; readonly applicationId: string }
  | { readonly kind: 'management' };

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The same forms that the gateway takes: some clients add `/mcp` or a slash. */
const MCP_PATH = new RegExp(`^/mcp/(${UUID})(?:/(${UUID}))?(?:/mcp)?/?$`, 'i');
const MANAGEMENT_PATH = /^\/api\/v1\/?$/;

/** The resource that a URI identifies, in any of its spellings; undefined if it is not one of ours. */
export function parseResource(publicUrl: string, uri: string): Resource | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined || url.origin !== publicUrl) return undefined;
  if (url.search !== '' || uri.includes('#') || url.username !== '' || url.password !== '') {
    return undefined;
  }
  return resourceOfPath(url.pathname);
}

/** The resource at a path, without query. */
export function resourceOfPath(path: string): Resource | undefined {
  if (MANAGEMENT_PATH.test(path)) return { kind: 'management' };
  const [, application, integration] = MCP_PATH.exec(path) ?? [];
  if (application === undefined) return undefined;
  const applicationId = application.toLowerCase();
  if (integration === undefined) return { kind: 'application', applicationId };
  return { kind: 'pair', applicationId, integrationId: integration.toLowerCase() };
}

/** The canonical spelling of a URI that may name one of ours; another one stays as it is. */
export function canonicalUriOf(publicUrl: string, uri: string): string {
  const resource = parseResource(publicUrl, uri);
  return resource === undefined ? uri : resourceUriOf(publicUrl, resource);
}

/** The canonical URI, in which resources are stored and compared. @param publicUrl an origin */
export function resourceUriOf(publicUrl: string, resource: Resource): string {
  if (resource.kind === 'management') return `${publicUrl}/api/v1`;
  const application = `${publicUrl}/mcp/${resource.applicationId}`;
  return resource.kind === 'pair' ? `${application}/${resource.integrationId}` : application;
}
