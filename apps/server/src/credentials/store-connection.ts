import { isDeepStrictEqual } from 'node:util';
import { type EventActor, type SetConnectionBody, tokenDestination } from '@gatehouse/contract';
import type { Integration } from '../generated/prisma/client.ts';
import type { Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { connectionSealContext } from '../vault/seal-contexts.ts';
import type { Vault } from '../vault/vault.ts';
import { type ConnectionRow, neverRefreshed, replaceConnection } from './connections.ts';
import { toStoredCredential } from './credential-fields.ts';
import { type StoredCredential, serializeCredential } from './outcome.ts';

/** A credential that a user entered, and the credential schema it was checked against. */
export interface CheckedCredential {
  readonly schema: unknown;
  /** @throws ProblemError `validation_failed` */
  readonly accept: () => StoredCredential;
}

/** The integration's credential schema has changed since the credential was checked: check it again. */
export class CredentialSchemaChanged extends Error {
  override readonly name = 'CredentialSchemaChanged';
}

/**
 * Checks a credential before the transaction that stores it, because a schema and its patterns take
 * time. The outcome comes out of `accept`, after the refusals that precede it.
 */
export function checkBySchema(schema: unknown, input: SetConnectionBody): CheckedCredential {
  try {
    const credential = toStoredCredential(schema, input);
    return { schema, accept: () => credential };
  } catch (error) {
    const accept = () => {
      throw error;
    };
    return { schema, accept };
  }
}

/** The integration and user of a connection, and who stores it. */
export interface ConnectionOwner {
  readonly integration: Integration;
  readonly userId: string;
  readonly actor: EventActor;
}

/**
 * Replaces the credential that a user has given for an integration of the mode `user_token`, which the
 * caller has locked and found active.
 *
 * @throws ProblemError `validation_failed`
 * @throws CredentialSchemaChanged
 */
export async function storeConnection(
  tx: Tx,
  { vault }: { readonly vault: Vault },
  { integration, userId, actor }: ConnectionOwner,
  checked: CheckedCredential,
): Promise<ConnectionRow> {
  const { organizationId, id: integrationId, url, credentialSchema } = integration;
  if (!isDeepStrictEqual(credentialSchema, checked.schema)) {
    throw new CredentialSchemaChanged('The credential schema has changed.');
  }
  const credential = checked.accept();
  const destination = tokenDestination(url);
  const mode = 'user_token';
  const row = { ...createId(), organizationId, integrationId, userId, mode, destination } as const;
  const connection = await replaceConnection(tx.db, {
    ...row,
    ...vault.seal(serializeCredential(credential), connectionSealContext(row)),
    reason: null,
    displayName: null,
    expiresAt: null,
    ...neverRefreshed,
  });
  const id = `${integrationId}:${userId}`;
  tx.announce({ kind: 'connection', id });
  tx.record({ action: 'connection.created', actor, targetId: id, mode });
  return connection;
}
