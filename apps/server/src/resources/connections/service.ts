import { type SetConnectionBody, tokenDestination } from '@gatehouse/contract';
import {
  type ConnectionRow,
  deleteConnection,
  replaceConnection,
} from '../../credentials/connections.ts';
import { toStoredCredential } from '../../credentials/credential-fields.ts';
import { serializeCredential } from '../../credentials/stored-credential.ts';
import type { Mutation } from '../../identity/mutation.ts';
import { createId } from '../../platform/ids.ts';
import { revokeSessionsOfConnection } from '../../sessions/revocation.ts';
import { connectionSealContext } from '../../vault/seal-contexts.ts';
import type { Vault } from '../../vault/vault.ts';
import { requireActive, requireUserTokens } from '../integrations/policy.ts';
import type { IntegrationRow } from '../integrations/repository.ts';
import { lockIntegrationForShare } from '../integrations/service.ts';

/** Replaces the caller's credential. @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`, `validation_failed` */
export async function setConnection(
  mutation: Mutation,
  { vault }: { readonly vault: Vault },
  integrationId: string,
  body: SetConnectionBody,
): Promise<{ integration: IntegrationRow; connection: ConnectionRow }> {
  const { tx, actor } = mutation;
  const { organizationId, userId } = actor;
  const integration = await lockIntegrationForShare(mutation, integrationId);
  requireActive(integration);
  requireUserTokens(integration);
  const credential = toStoredCredential(integration.credentialSchema, body);
  const destination = tokenDestination(integration.url);
  const mode = 'user_token';
  const row = { ...createId(), organizationId, integrationId, userId, mode, destination } as const;
  const connection = await replaceConnection(tx.db, {
    ...row,
    ...vault.seal(serializeCredential(credential), connectionSealContext(row)),
    reason: null,
    displayName: null,
    expiresAt: null,
  });
  tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
  return { integration, connection };
}

/** Also ends the caller's sessions on the integration. @throws ProblemError `not_found` */
export async function removeConnection(mutation: Mutation, integrationId: string): Promise<void> {
  const { tx, actor } = mutation;
  await lockIntegrationForShare(mutation, integrationId);
  if (!(await deleteConnection(tx.db, integrationId, actor.userId))) return;
  await revokeSessionsOfConnection(tx, integrationId, actor.userId);
}
