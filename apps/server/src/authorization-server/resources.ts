import type { KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { parseResource, type Resource, resourceUriOf } from '../identity/resource.ts';
import type { Db } from '../platform/database/store.ts';
import type { Applications } from './clients/applications.ts';
import type { ClientApplication, OauthClient } from './clients/oauth-client.ts';
import { errors } from './oidc-provider.ts';
import { scopesAt } from './scopes.ts';

/** Seconds that an access token lasts. */
export const ACCESS_TOKEN_TTL = 600;

export interface ResourceDeps {
  readonly db: Db;
  readonly applications: Applications;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * The properties of a requested resource that oidc-provider needs (RFC 8707).
 *
 * @throws InvalidTarget for a resource that is unknown, or that this client may not name
 * @throws InvalidScope when no requested scope may be granted there
 */
export async function resourceServerOf(
  deps: ResourceDeps,
  ctx: KoaContextWithOIDC,
  uri: string,
  client: OauthClient,
): Promise<ResourceServer> {
  const resource = parseResource(deps.publicUrl, uri);
  if (resource === undefined) throw new errors.InvalidTarget();
  const { grant_type: grantType } = (ctx.oidc.params ?? {}) as { grant_type?: string };
  const isForItself = grantType === 'client_credentials';
  const application = await findApplication(deps, resource, client, isForItself);
  if (application === undefined) throw new errors.InvalidTarget();
  checkOneApplication(deps.publicUrl, ctx, application);
  const scopes = scopesOf(client, application, resource);
  const requested = [...ctx.oidc.requestParamScopes];
  if (scopes.length === 0 || !(requested.length === 0 || requested.some(isIn(scopes)))) {
    throw new errors.InvalidScope('no scope may be granted here', requested.join(' '));
  }
  return {
    scope: scopes.join(' '),
    audience: resourceUriOf(deps.publicUrl, resource),
    accessTokenTTL: ACCESS_TOKEN_TTL,
    accessTokenFormat: 'opaque',
  };
}

/**
 * The scopes that can be granted to a client. A dynamic client gets the gateway, whatever else it
 * requests.
 */
export function scopesOf(
  client: OauthClient,
  application: ClientApplication,
  resource: Resource,
): string[] {
  const scopes = scopesAt(application.scopes, resource);
  return client.application === undefined ? scopes.filter((scope) => scope === 'mcp') : scopes;
}

function isIn(list: readonly string[]): (item: string) => boolean {
  return (item) => list.includes(item);
}

/** One grant is for one application, or for the management API. */
function checkOneApplication(
  publicUrl: string,
  { oidc }: KoaContextWithOIDC,
  { id }: ClientApplication,
): void {
  const named = [(oidc.params as { resource?: string | string[] }).resource ?? []].flat();
  const resources = named.map((uri) => parseResource(publicUrl, uri));
  const isMixed = resources.some(
    (resource) =>
      resource === undefined ||
      (resource.kind === 'management' ? resources.length > 1 : resource.applicationId !== id),
  );
  if (isMixed) throw new errors.InvalidTarget();
}

/**
 * The application that owns the resource, or undefined if this client may not request it. Client
 * credentials never get the management API. Whether the application allows dynamic clients is checked
 * at consent, where a page can say what to do.
 */
async function findApplication(
  { db, applications, publicUrl }: ResourceDeps,
  resource: Resource,
  { application: own }: OauthClient,
  isForItself: boolean,
): Promise<ClientApplication | undefined> {
  if (resource.kind === 'management') {
    if (isForItself) return undefined;
    const isListed = own?.allowedResources.some(
      (uri) => parseResource(publicUrl, uri)?.kind === 'management',
    );
    return isListed ? own : undefined;
  }
  const { applicationId } = resource;
  if (own !== undefined && own.id !== applicationId) return undefined;
  const application = own ?? (await applications.find(applicationId));
  if (application === undefined) return undefined;
  if (resource.kind === 'application') {
    // For the application's own client it stands for all of its URLs, also while it is not served.
    const isServed = application.aggregateMode !== 'off';
    return own !== undefined || isServed ? application : undefined;
  }
  const { integrationId } = resource;
  const attached = await db.attachment.count({ where: { applicationId, integrationId } });
  return attached === 0 ? undefined : application;
}
