import { type SetConnectionBody, tokenDestination } from '@gatehouse/contract';
import { acceptCredential } from '../../credentials/credential-fields.ts';
import { connectionPlace } from '../../credentials/places.ts';
import { serializeCredential } from '../../credentials/stored-credential.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Tx } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Deps } from '../deps.ts';
import { requireActive } from '../integrations/policy.ts';
import { type IntegrationRow, shareIntegration } from '../integrations/repository.ts';
import { requireIntegration } from '../integrations/service.ts';
import { revokeSessionsOfConnection } from '../sessions/revocation.ts';
import { type ConnectionRow, deleteConnection, replaceConnection } from './repository.ts';

/** @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`, `validation_failed` */
export async function setConnection(
  tx: Tx,
  { vault }: Pick<Deps, 'vault'>,
  actor: Actor,
  integrationId: string,
  body: SetConnectionBody,
): Promise<{ integration: IntegrationRow; connection: ConnectionRow }> {
  const { organizationId, userId } = actor;
  await shareIntegration(tx.db, organizationId, integrationId);
  const integration = await requireIntegration(tx.db, actor, integrationId);
  requireActive(integration);
  if (integration.authMode !== 'user_token') {
    throw new ProblemError(
      'auth_mode_mismatch',
      'Users enter a credential only where the mode is user_token.',
    );
  }
  const credential = acceptCredential(integration.credentialSchema, body);
  const destination = tokenDestination(integration.url);
  const row = { ...createId(), organizationId, integrationId, userId, destination };
  const connection = await replaceConnection(tx.db, {
    ...row,
    mode: 'user_token',
    ...vault.seal(serializeCredential(credential), connectionPlace(row)),
    reason: null,
    displayName: null,
    expiresAt: null,
  });
  tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
  return { integration, connection };
}

/** Ends the user's sessions on the integration too. @throws ProblemError `not_found` */
export async function removeConnection(tx: Tx, actor: Actor, integrationId: string): Promise<void> {
  const { organizationId, userId } = actor;
  await shareIntegration(tx.db, organizationId, integrationId);
  await requireIntegration(tx.db, actor, integrationId);
  if (!(await deleteConnection(tx.db, integrationId, userId))) return;
  await revokeSessionsOfConnection(tx, integrationId, userId);
  tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
}
