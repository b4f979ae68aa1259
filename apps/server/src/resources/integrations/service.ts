import { isDeepStrictEqual } from 'node:util';
import {
  type EventDetails,
  type ParsedCreateIntegrationBody,
  tokenDestination,
  type UpdateIntegrationBody,
} from '@gatehouse/contract';
import { checkCredentialSchema } from '../../credentials/credential-schema.ts';
import { disconnectEveryone } from '../../credentials/disconnect.ts';
import type { Egress } from '../../egress/egress.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import { type Mutation, record, requireMatch } from '../../identity/mutation.ts';
import type { Db, Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { revokeSessionsOfIntegration } from '../../sessions/revocation.ts';
import type { Vault } from '../../vault/vault.ts';
import { changedFields } from '../changed-fields.ts';
import {
  changesRoute,
  configOf,
  invalidatesValidation,
  mergeConfig,
  oauthAfter,
} from './configuration.ts';
import {
  findIntegration,
  type IntegrationChange,
  type IntegrationConfig,
  type IntegrationRow,
  insertIntegration,
  lockIntegrationRow,
  lockIntegrationRowsForShare,
  updateIntegrationRow,
} from './repository.ts';
import {
  requireActive,
  requireAllowedUrl,
  requireSendableToken,
  requireServerToken,
  requireValidServerToken,
} from './rules.ts';
import { deleteSecrets, insertSecret, replaceSecret } from './secret-repository.ts';
import { changedSecret, OAUTH_SECRETS, sealSecret } from './secrets.ts';

/** @throws ProblemError `not_found` */
export async function requireIntegration(
  db: Db,
  actor: PersonCaller,
  id: string,
): Promise<IntegrationRow> {
  const integration = await findIntegration(db, actor, id);
  if (integration) return integration;
  throw new ProblemError('not_found', 'There is no such integration.');
}

/** Locks the integration until the transaction ends. @throws ProblemError `not_found` */
export async function lockIntegration(
  { tx, actor }: Mutation,
  id: string,
): Promise<IntegrationRow> {
  await lockIntegrationRow(tx.db, actor.organizationId, id);
  return requireIntegration(tx.db, actor, id);
}

/** Keeps the integration unchanged until the transaction ends. @throws ProblemError `not_found` */
export async function lockIntegrationForShare(
  { tx, actor }: Mutation,
  id: string,
): Promise<IntegrationRow> {
  await lockIntegrationRowsForShare(tx.db, actor.organizationId, [id]);
  return requireIntegration(tx.db, actor, id);
}

/** Writes a change of the locked integration, announces and records it. */
export async function writeIntegration(
  mutation: Mutation,
  id: string,
  change: IntegrationChange,
  event: EventDetails<'integration'>,
): Promise<IntegrationRow> {
  const { tx, actor } = mutation;
  const integration = await updateIntegrationRow(tx.db, actor, id, change);
  tx.announce({ kind: 'integration', id });
  record(mutation, id, event);
  return integration;
}

/**
 * Refuses a credential schema that does not compile. Outside the transaction, because compiling is slow.
 *
 * @throws ProblemError `validation_failed`
 */
export function checkUpdateBody({
  credentialSchema,
}: Pick<UpdateIntegrationBody, 'credentialSchema'>): void {
  if (credentialSchema) checkCredentialSchema(credentialSchema);
}

/** Also refuses a url that may not be called. @throws ProblemError `validation_failed`, `egress_denied` */
export function checkCreateBody(
  { egress }: { readonly egress: Egress },
  body: ParsedCreateIntegrationBody,
): void {
  checkUpdateBody(body);
  requireAllowedUrl(egress, body);
}

/** @throws ProblemError `egress_denied` */
export async function createIntegration(
  mutation: Mutation,
  { vault, egress }: { readonly vault: Vault; readonly egress: Egress },
  { serverToken, ...body }: ParsedCreateIntegrationBody,
): Promise<IntegrationRow> {
  const { tx, actor } = mutation;
  // The write enforces this. The check before the transaction only determines the order of errors.
  requireAllowedUrl(egress, body);
  requireValidServerToken({ credentialSchema: body.credentialSchema ?? null }, serverToken);
  const integration = await insertIntegration(tx.db, {
    ...createId(),
    organizationId: actor.organizationId,
    config: {
      ...body,
      oauth: oauthAfter(body),
      capabilities: body.capabilities ?? null,
      credentialSchema: body.credentialSchema ?? null,
      validateEveryMinutes: body.validateEveryMinutes ?? null,
    },
  });
  record(mutation, integration.id, { action: 'integration.created', authMode: body.authMode });
  if (serverToken === undefined) return { ...integration, secrets: [], connections: [] };
  const secret = sealSecret(vault, integration, {
    kind: 'server_token',
    destination: tokenDestination(body.url),
    text: serverToken,
  });
  await insertSecret(tx.db, secret);
  return { ...integration, secrets: [secret], connections: [] };
}

/** @throws ProblemError `not_found`, `precondition_failed`, `archived`, `egress_denied`, `validation_failed` */
export async function updateIntegration(
  mutation: Mutation,
  { vault, egress }: { readonly vault: Vault; readonly egress: Egress },
  id: string,
  body: UpdateIntegrationBody,
): Promise<{ before: IntegrationRow; after: IntegrationRow }> {
  const { tx } = mutation;
  const current = await lockIntegration(mutation, id);
  requireMatch(mutation.precondition, current.version);
  requireActive(current);
  const before = configOf(current);
  const after = mergeConfig(before, body);
  const isRerouted = changesRoute(before, after);
  if (isRerouted) requireAllowedUrl(egress, after);
  requireServerToken(current, after, body.serverToken);
  requireSendableToken(before, after);
  requireValidServerToken(after, body.serverToken);
  const isTokenChanged = await storeServerToken(tx.db, vault, current, after, body.serverToken);
  if (!isTokenChanged && isDeepStrictEqual(before, after)) {
    return { before: current, after: current };
  }
  if (before.oauth !== null && after.oauth === null) await removeOauthCredentials(tx, current);
  if (isRerouted) await revokeSessionsOfIntegration(tx, id);
  const change = {
    config: after,
    resetValidation: isTokenChanged || invalidatesValidation(before, after),
    isRescheduled: before.validateEveryMinutes !== after.validateEveryMinutes,
  };
  const token = isTokenChanged
    ? [changedSecret(current, 'server_token', typeof body.serverToken === 'string')]
    : [];
  const written = await writeIntegration(mutation, id, change, {
    action: 'integration.updated',
    changes: [...changedFields(before, after), ...token],
  });
  return { before: current, after: written };
}

/**
 * Stores or deletes the server token, if the body has one. Returns true when it has changed; a token
 * that is sent always counts as a change.
 */
async function storeServerToken(
  db: Db,
  vault: Vault,
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

/** Removes the secrets of the OAuth configuration, and the tokens of all users with their sessions. */
export async function removeOauthCredentials(
  tx: Tx,
  { id, authMode }: IntegrationRow,
): Promise<void> {
  await deleteSecrets(tx.db, id, OAUTH_SECRETS);
  await disconnectEveryone(tx, id);
  if (authMode === 'oauth') await revokeSessionsOfIntegration(tx, id);
}

/** Archiving again changes nothing. @throws ProblemError `not_found`, `precondition_failed` */
export async function archiveIntegration(mutation: Mutation, id: string): Promise<IntegrationRow> {
  const current = await lockIntegration(mutation, id);
  requireMatch(mutation.precondition, current.version);
  if (current.archivedAt !== null) return current;
  await revokeSessionsOfIntegration(mutation.tx, id);
  const change = { archivedAt: new Date() };
  return writeIntegration(mutation, id, change, { action: 'integration.archived' });
}

/** @throws ProblemError `not_found` */
export async function restoreIntegration(mutation: Mutation, id: string): Promise<IntegrationRow> {
  const current = await lockIntegration(mutation, id);
  if (current.archivedAt === null) return current;
  return writeIntegration(mutation, id, { archivedAt: null }, { action: 'integration.restored' });
}
