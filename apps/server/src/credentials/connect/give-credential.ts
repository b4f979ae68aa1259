import { hash } from 'node:crypto';
import { type EventActor, type SetConnectionBody, tokenDestination } from '@gatehouse/contract';
import type { Integration } from '../../generated/prisma/client.ts';
import type { Store } from '../../platform/database/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { CredentialSchemaChanged, checkBySchema, storeConnection } from '../store-connection.ts';
import { lockConnectable } from './lock-connectable.ts';

/** What the page showed: the integration, the destination of the credential, and its fields. */
export function askedFor({
  id,
  url,
  credentialSchema,
}: Pick<Integration, 'id' | 'url' | 'credentialSchema'>): string {
  return hash('sha256', JSON.stringify([id, tokenDestination(url), credentialSchema]), 'base64url');
}

/**
 * Stores a credential for the person, if the integration is still what the person saw.
 *
 * @returns false when it is not
 * @throws ProblemError `validation_failed`, `unauthenticated`
 */
export async function giveCredential(
  { store, vault }: { readonly store: Store; readonly vault: Vault },
  actor: Extract<EventActor, { kind: 'person' }>,
  integration: Integration,
  body: SetConnectionBody,
): Promise<boolean> {
  const { userId, organizationId } = actor;
  const checked = checkBySchema(integration.credentialSchema, body);
  const connecting = { organizationId, userId, integrationId: integration.id };
  try {
    return await store.transaction(async (tx) => {
      const found = await lockConnectable(tx.db, connecting, 'user_token');
      if (found === null || askedFor(found) !== askedFor(integration)) return false;
      await storeConnection(tx, { vault }, { integration: found, userId, actor }, checked);
      return true;
    });
  } catch (error) {
    if (error instanceof CredentialSchemaChanged) return false;
    throw error;
  }
}
