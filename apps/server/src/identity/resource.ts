/**
 * A protected resource of ours (RFC 9728), and so the audience of an OAuth token (RFC 8707): one
 * integration in one application, all integrations of one application, or the management API.
 */
export type Resource =
  | { readonly kind: 'pair'; readonly applicationId: string; readonly integrationId: string }
  | { readonly kind: 'application'; readonly applicationId: string }
  | { readonly kind: 'management' };

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** Some clients guess the transport from the end of the URL, and take `/mcp` for streamable HTTP. */
const END = '(?:/mcp)?/?(?:\\?|$)';
const PAIR = new RegExp(`^/mcp/${UUID}/${UUID}${END}`);
const APPLICATION = new RegExp(`^/mcp/${UUID}${END}`);
const ID_LENGTH = 36;
const ID_START = '/mcp/'.length;
const ID_END = ID_START + ID_LENGTH;
const PAIR_END = ID_END + 1 + ID_LENGTH;
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
  const applicationId = path.slice(ID_START, ID_END).toLowerCase();
  if (APPLICATION.test(path)) return { kind: 'application', applicationId };
  if (!PAIR.test(path)) return undefined;
  const integrationId = path.slice(ID_END + 1, PAIR_END).toLowerCase();
  return { kind: 'pair', applicationId, integrationId };
}

/** One integration of an application, or all of them. */
export type McpTargetKind = 'pair' | 'application';

/**
 * The kind of MCP resource that a raw request target names: only in path form, and nothing is decoded
 * or normalized. `/mcp` or a slash at the end makes no difference.
 */
export function mcpTargetKindOf(target: string | undefined): McpTargetKind | undefined {
  if (target?.startsWith('/mcp/') !== true) return undefined;
  if (PAIR.test(target)) return 'pair';
  return APPLICATION.test(target) ? 'application' : undefined;
}

/** The application of a target of kind `application`, in lower case. */
export function applicationIdOf(target: string): string {
  return target.slice(ID_START, ID_END).toLowerCase();
}

/** `<application id>/<integration id>` of a target of kind `pair`, in lower case. */
export function pairKeyOf(target: string): string {
  return target.slice(ID_START, PAIR_END).toLowerCase();
}

/** Whether a resource is this integration of the application, or all of the application's integrations. */
export function includesPair(
  resource: Resource,
  pair: { readonly applicationId: string; readonly integrationId: string },
): boolean {
  if (resource.kind === 'management') return false;
  if (resource.applicationId !== pair.applicationId) return false;
  return resource.kind === 'application' || resource.integrationId === pair.integrationId;
}

/** The canonical spelling of a URI that may name one of ours; another one stays as it is. */
export function canonicalUriOf(publicUrl: string, uri: string): string {
  const resource = parseResource(publicUrl, uri);
  return resource === undefined ? uri : resourceUriOf(publicUrl, resource);
}

/** The canonical URI, for storing and comparing resources. @param publicUrl an origin */
export function resourceUriOf(publicUrl: string, resource: Resource): string {
  if (resource.kind === 'management') return `${publicUrl}/api/v1`;
  const application = `${publicUrl}/mcp/${resource.applicationId}`;
  return resource.kind === 'pair' ? `${application}/${resource.integrationId}` : application;
}
