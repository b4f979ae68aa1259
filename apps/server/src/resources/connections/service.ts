import type { SetConnectionBody } from '@gatehouse/contract';
import type { ConnectionRow } from '../../credentials/connections.ts';
import { disconnect } from '../../credentials/disconnect.ts';
import {
  findLastRevocation,
  type LastRevocation,
} from '../../credentials/oauth/revocation/outbox.ts';
import {
  type CheckedCredential,
  checkBySchema,
  storeConnection,
} from '../../credentials/store-connection.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Mutation } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { requireActive, requireUserTokens } from '../integrations/policy.ts';
import { findCredentialSchema, type IntegrationRow } from '../integrations/repository.ts';
import { lockIntegrationForShare } from '../integrations/service.ts';

/** Checks a credential by the schema that the integration has now, see `checkBySchema`. */
export async function checkCredential(
  db: Db,
  actor: Actor,
  integrationId: string,
  body: SetConnectionBody,
): Promise<CheckedCredential> {
  return checkBySchema(await findCredentialSchema(db, actor, integrationId), body);
}

/**
 * Replaces the caller's credential.
 *
 * @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`, `validation_failed`
 * @throws CredentialSchemaChanged
 */
export async function setConnection(
  mutation: Mutation,
  deps: { readonly vault: Vault },
  integrationId: string,
  checked: CheckedCredential,
): Promise<{ integration: IntegrationRow; connection: ConnectionRow }> {
  const { tx, actor } = mutation;
  const integration = await lockIntegrationForShare(mutation, integrationId);
  requireActive(integration);
  requireUserTokens(integration);
  const { userId } = actor;
  const connection = await storeConnection(tx, deps, { integration, userId }, checked);
  return { integration, connection };
}

/** Also ends the caller's sessions on the integration. @throws ProblemError `not_found` */
export async function removeConnection(mutation: Mutation, integrationId: string): Promise<void> {
  const { tx, actor } = mutation;
  await lockIntegrationForShare(mutation, integrationId);
  await disconnect(tx, integrationId, actor.userId);
}

/** What became of the grant that the caller disconnected last, at its provider. */
export function findRevocation(
  db: Db,
  { userId }: Actor,
  integrationId: string,
): Promise<LastRevocation | undefined> {
  return findLastRevocation(db, integrationId, userId);
}
