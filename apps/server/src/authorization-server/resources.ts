import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';
import { parseResource, type Resource, resourceUriOf } from '../identity/resource.ts';
import type { Db } from '../platform/database/store.ts';
import type { ApplicationClient } from './clients.ts';
import { scopesAt } from './scopes.ts';

/** Seconds that an access token lasts. */
export const ACCESS_TOKEN_TTL = 600;

export interface ResourceDeps {
  readonly db: Db;
  /** Our origin. */
  readonly publicUrl: string;
}

/**
 * What oidc-provider needs to know of a resource that a client names (RFC 8707).
 *
 * @throws InvalidTarget for a resource that is not ours, or not this client's
 * @throws InvalidScope when none of the scopes that the request names may be granted there
 */
export async function resourceServerOf(
  { db, publicUrl }: ResourceDeps,
  ctx: KoaContextWithOIDC,
  uri: string,
  application: ApplicationClient,
): Promise<ResourceServer> {
  const resource = parseResource(publicUrl, uri);
  if (resource === undefined) throw new errors.InvalidTarget();
  await requireAllowed(db, application, resource, uri);
  const scopes = scopesAt(application.scopes, resource);
  const requested = [...ctx.oidc.requestParamScopes];
  if (scopes.length === 0 || !(requested.length === 0 || requested.some(isIn(scopes)))) {
    throw new errors.InvalidScope(
      'the application may not have these scopes here',
      requested.join(' '),
    );
  }
  return {
    scope: scopes.join(' '),
    audience: resourceUriOf(publicUrl, resource),
    accessTokenTTL: ACCESS_TOKEN_TTL,
    accessTokenFormat: 'opaque',
  };
}

function isIn(list: readonly string[]): (item: string) => boolean {
  return (item) => list.includes(item);
}

async function requireAllowed(
  db: Db,
  application: ApplicationClient,
  resource: Resource,
  uri: string,
): Promise<void> {
  if (resource.kind === 'management') {
    if (application.allowedResources.includes(uri)) return;
    throw new errors.InvalidTarget();
  }
  if (resource.applicationId !== application.id) throw new errors.InvalidTarget();
  if (resource.kind === 'application') return;
  const { applicationId, integrationId } = resource;
  const attached = await db.attachment.count({ where: { applicationId, integrationId } });
  if (attached === 0) throw new errors.InvalidTarget();
}
