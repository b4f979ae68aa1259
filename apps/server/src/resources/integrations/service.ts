import { isDeepStrictEqual } from 'node:util';
import {
  type ParsedCreateIntegrationBody,
  tokenDestination,
  type UpdateIntegrationBody,
} from '@gatehouse/contract';
import { checkCredentialSchema } from '../../credentials/credential-schema.ts';
import type { Precondition } from '../../http/etag.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { deleteOauthConnections } from '../connections/repository.ts';
import type { Deps } from '../deps.ts';
import { revokeSessionsOfIntegration } from '../sessions/revocation.ts';
import {
  configOf,
  endsSessions,
  invalidatesValidation,
  mergeConfig,
  requireAllowedUrl,
  requireServerToken,
} from './merge.ts';
import { withOauthInput } from './oauth-config.ts';
import { requireActive } from './policy.ts';
import {
  deleteSecrets,
  findIntegration,
  type IntegrationConfig,
  type IntegrationRow,
  insertIntegration,
  insertSecret,
  lockIntegration,
  replaceSecret,
  setArchivedAt,
  updateIntegration,
} from './repository.ts';
import { OAUTH_SECRETS, sealSecret } from './secrets.ts';

/** Refuses a body that is wrong whatever is stored. @throws ProblemError `validation_failed` */
export function checkBody({
  credentialSchema,
}: Pick<UpdateIntegrationBody, 'credentialSchema'>): void {
  if (credentialSchema) checkCredentialSchema(credentialSchema);
}

/** @throws ProblemError `not_found` */
export async function requireIntegration(
  db: Db,
  actor: Actor,
  id: string,
): Promise<IntegrationRow> {
  const integration = await findIntegration(db, actor, id);
  if (!integration) throw new ProblemError('not_found', 'There is no such integration.');
  return integration;
}

/** The integration, locked. @throws ProblemError `not_found` */
export async function requireLocked(db: Db, actor: Actor, id: string): Promise<IntegrationRow> {
  await lockIntegration(db, actor.organizationId, id);
  return requireIntegration(db, actor, id);
}

/** The body's url was checked before. */
export async function createIntegration(
  { db }: Tx,
  { vault }: Pick<Deps, 'vault'>,
  actor: Actor,
  { serverToken, ...body }: ParsedCreateIntegrationBody,
): Promise<IntegrationRow> {
  const { organizationId } = actor;
  const integration = await insertIntegration(db, {
    ...createId(),
    organizationId,
    config: {
      ...body,
      oauth: body.oauth === undefined ? null : withOauthInput(null, body.oauth),
      capabilities: body.capabilities ?? null,
      credentialSchema: body.credentialSchema ?? null,
    },
  });
  if (serverToken === undefined) return { ...integration, secrets: [], connections: [] };
  const secret = sealSecret(vault, integration, {
    kind: 'server_token',
    destination: tokenDestination(body.url),
    text: serverToken,
  });
  await insertSecret(db, secret);
  return { ...integration, secrets: [secret], connections: [] };
}

/** @throws ProblemError `not_found`, `precondition_failed`, `archived`, `egress_denied`, `validation_failed` */
export async function changeIntegration(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'egress'>,
  actor: Actor,
  id: string,
  { body, precondition }: { body: UpdateIntegrationBody; precondition: Precondition },
): Promise<IntegrationRow> {
  const current = await requireLocked(tx.db, actor, id);
  precondition(current.version);
  requireActive(current);

  const before = configOf(current);
  const after = mergeConfig(before, body);
  if (changesDestination(before, after)) requireAllowedUrl(deps.egress, after);
  requireServerToken(current, after, body.serverToken);
  const tokenChanged = await storeServerToken(tx.db, deps, current, after, body.serverToken);
  if (!tokenChanged && isDeepStrictEqual(before, after)) return current;
  if (before.oauth !== null && after.oauth === null) await wipeOauth(tx, current);
  if (endsSessions(before, after)) await revokeSessionsOfIntegration(tx, id);
  tx.announce({ kind: 'integration', id });
  return updateIntegration(tx.db, actor, id, after, {
    resetValidation: tokenChanged || invalidatesValidation(before, after),
  });
}

/** Whether the server token changed. */
async function storeServerToken(
  db: Db,
  { vault }: Pick<Deps, 'vault'>,
  current: IntegrationRow,
  { url }: IntegrationConfig,
  serverToken: string | null | undefined,
): Promise<boolean> {
  if (serverToken === undefined) return false;
  if (serverToken === null) {
    await deleteSecrets(db, current.id, ['server_token']);
    return current.secrets.some(({ kind }) => kind === 'server_token');
  }
  const destination = tokenDestination(url);
  const secret = { kind: 'server_token', destination, text: serverToken } as const;
  await replaceSecret(db, sealSecret(vault, current, secret));
  return true;
}

/** Removes what belongs to an OAuth configuration: its secrets, and every user's tokens with their sessions. */
export async function wipeOauth(tx: Tx, { id, authMode }: IntegrationRow): Promise<void> {
  await deleteSecrets(tx.db, id, OAUTH_SECRETS);
  const userIds = await deleteOauthConnections(tx.db, id);
  tx.announce(...userIds.map((userId) => ({ kind: 'connection', id: `${id}:${userId}` }) as const));
  if (authMode === 'oauth') await revokeSessionsOfIntegration(tx, id);
}

/** Archiving again changes nothing. @throws ProblemError `not_found`, `precondition_failed` */
export async function archiveIntegration(
  tx: Tx,
  actor: Actor,
  id: string,
  precondition: Precondition,
): Promise<IntegrationRow> {
  const current = await requireLocked(tx.db, actor, id);
  precondition(current.version);
  if (current.archivedAt !== null) return current;
  await revokeSessionsOfIntegration(tx, id);
  tx.announce({ kind: 'integration', id });
  return setArchivedAt(tx.db, actor, id, new Date());
}

/** @throws ProblemError `not_found` */
export async function restoreIntegration(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<IntegrationRow> {
  const current = await requireLocked(tx.db, actor, id);
  if (current.archivedAt === null) return current;
  tx.announce({ kind: 'integration', id });
  return setArchivedAt(tx.db, actor, id, null);
}

/** Whether another address is dialled, or the same one now carries a credential. */
function changesDestination(before: IntegrationConfig, after: IntegrationConfig): boolean {
  return (
    before.url !== after.url ||
    before.category !== after.category ||
    before.authMode !== after.authMode
  );
}
