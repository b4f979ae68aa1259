import { isDeepStrictEqual } from 'node:util';
import { type SetConnectionBody, tokenDestination } from '@gatehouse/contract';
import {
  type ConnectionRow,
  deleteConnection,
  replaceConnection,
} from '../../credentials/connections.ts';
import { toStoredCredential } from '../../credentials/credential-fields.ts';
import { type StoredCredential, serializeCredential } from '../../credentials/stored-credential.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Mutation } from '../../identity/mutation.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import { revokeSessionsOfConnection } from '../../sessions/revocation.ts';
import { connectionSealContext } from '../../vault/seal-contexts.ts';
import type { Vault } from '../../vault/vault.ts';
import { requireActive, requireUserTokens } from '../integrations/policy.ts';
import { findCredentialSchema, type IntegrationRow } from '../integrations/repository.ts';
import { lockIntegrationForShare } from '../integrations/service.ts';

/** What a user entered, checked by the credential schema that the integration had at that moment. */
export interface CheckedCredential {
  readonly schema: unknown;
  /** @throws ProblemError `validation_failed` */
  readonly accept: () => StoredCredential;
}

/** The integration has got another credential schema since the credential was checked: check it again. */
export class CredentialSchemaChanged extends Error {
  override readonly name = 'CredentialSchemaChanged';
}

/**
 * Checks a credential before the transaction that stores it, because a schema and its patterns take
 * time. The outcome comes out of `accept`, after the refusals that precede it.
 */
export async function checkCredential(
  db: Db,
  actor: Actor,
  integrationId: string,
  body: SetConnectionBody,
): Promise<CheckedCredential> {
  const schema = await findCredentialSchema(db, actor, integrationId);
  try {
    const credential = toStoredCredential(schema, body);
    return { schema, accept: () => credential };
  } catch (error) {
    const accept = () => {
      throw error;
    };
    return { schema, accept };
  }
}

/**
 * Replaces the caller's credential.
 *
 * @throws ProblemError `not_found`, `archived`, `auth_mode_mismatch`, `validation_failed`
 * @throws CredentialSchemaChanged
 */
export async function setConnection(
  mutation: Mutation,
  { vault }: { readonly vault: Vault },
  integrationId: string,
  checked: CheckedCredential,
): Promise<{ integration: IntegrationRow; connection: ConnectionRow }> {
  const { tx, actor } = mutation;
  const { organizationId, userId } = actor;
  const integration = await lockIntegrationForShare(mutation, integrationId);
  requireActive(integration);
  requireUserTokens(integration);
  if (!isDeepStrictEqual(integration.credentialSchema, checked.schema)) {
    throw new CredentialSchemaChanged('The credential schema has changed.');
  }
  const credential = checked.accept();
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
