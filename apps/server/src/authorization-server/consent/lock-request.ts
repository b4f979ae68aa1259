import { parseResource } from '../../identity/resource.ts';
import type { Db } from '../../platform/database/store.ts';
import { DYNAMIC_PREFIX, findStoredClient } from '../clients/dynamic/dynamic-clients.ts';
import { isRegisteredRedirectUri } from '../clients/oidc-client.ts';
import { errors } from '../oidc-provider.ts';
import { type LockedApplication, lockApplication, lockMember } from '../tokens/token-basis.ts';
import type { ConsentRequest } from './consent-request.ts';
import { requestGone } from './decision.ts';

/**
 * Locks the rows that a request depends on until the transaction ends, and compares it with what the person saw:
 * the member, the application with its settings, the redirect URI and the attachments. What is taken
 * away later ends the grant.
 *
 * @throws ProblemError `not_found` when any of it is gone
 */
export async function lockRequest(
  db: Db,
  publicUrl: string,
  userId: string,
  request: ConsentRequest,
): Promise<void> {
  const application = await lockApplicationOf(db, userId, request);
  const redirectUris = await redirectUrisOf(db, request, application);
  const isAsShown =
    isRegisteredRedirectUri(redirectUris, request.redirectUri) &&
    request.scopes.every((scope) => application.scopes.includes(scope)) &&
    mayNameResources(publicUrl, request, application) &&
    (await isAttached(db, publicUrl, request));
  if (!isAsShown) throw requestGone();
}

async function lockApplicationOf(
  db: Db,
  userId: string,
  { application }: ConsentRequest,
): Promise<LockedApplication> {
  try {
    await lockMember(db, userId);
    return await lockApplication(db, application.id, undefined);
  } catch (error) {
    throw error instanceof errors.InvalidGrant ? requestGone() : error;
  }
}

/** Those of the application; a dynamic client has its own, if the application still lets such clients in. */
async function redirectUrisOf(
  db: Db,
  { client }: ConsentRequest,
  application: LockedApplication,
): Promise<readonly string[]> {
  if (client.application !== undefined) return application.redirectUris;
  if (!application.allowDynamicClients) return [];
  // What a document says has been read for this request.
  if (!client.clientId.startsWith(DYNAMIC_PREFIX)) return client.redirectUris;
  return (await findStoredClient(db, client.clientId))?.redirectUris ?? [];
}

/** The management API only while the application lists it. */
function mayNameResources(
  publicUrl: string,
  { resources }: ConsentRequest,
  { allowedResources }: LockedApplication,
): boolean {
  const isManagement = (uri: string) => parseResource(publicUrl, uri)?.kind === 'management';
  return !resources.some(isManagement) || allowedResources.some(isManagement);
}

async function isAttached(
  db: Db,
  publicUrl: string,
  { application, integrations, resources }: ConsentRequest,
): Promise<boolean> {
  const named = resources.flatMap((uri) => {
    const resource = parseResource(publicUrl, uri);
    return resource?.kind === 'pair' ? [resource.integrationId] : [];
  });
  const ids = [...new Set([...named, ...integrations.map(({ id }) => id)])];
  const attached = await db.attachment.count({
    where: { applicationId: application.id, integrationId: { in: ids } },
  });
  return attached === ids.length;
}
