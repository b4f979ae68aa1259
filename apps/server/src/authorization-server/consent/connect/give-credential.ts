import { hash } from 'node:crypto';
import { type SetConnectionBody, tokenDestination } from '@gatehouse/contract';
import {
  CredentialSchemaChanged,
  checkBySchema,
  storeConnection,
} from '../../../credentials/store-connection.ts';
import type { Integration } from '../../../generated/prisma/client.ts';
import type { SignedInPerson } from '../../../identity/signed-in-person.ts';
import type { Db } from '../../../platform/database/store.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import type { ConsentRouterDeps } from '../decision.ts';

/** What a page has asked for: the integration, where the credential goes, and its fields. */
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
  { store, vault }: Pick<ConsentRouterDeps, 'store' | 'vault'>,
  { userId, organizationId }: SignedInPerson,
  integration: Integration,
  body: SetConnectionBody,
): Promise<boolean> {
  const checked = checkBySchema(integration.credentialSchema, body);
  try {
    return await store.transaction(async (tx) => {
      await lockMember(tx.db, userId);
      const found = await lockIntegration(tx.db, organizationId, integration.id);
      if (found === null || askedFor(found) !== askedFor(integration)) return false;
      await storeConnection(tx, { vault }, { integration: found, userId }, checked);
      return true;
    });
  } catch (error) {
    if (error instanceof CredentialSchemaChanged) return false;
    throw error;
  }
}

async function lockMember(db: Db, userId: string): Promise<void> {
  const members = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR SHARE`;
  if (members.length === 1) return;
  throw new ProblemError('unauthenticated', 'You are no longer a member here.');
}

/** Null unless people still enter a credential for it. */
async function lockIntegration(
  db: Db,
  organizationId: string,
  id: string,
): Promise<Integration | null> {
  await db.$queryRaw`
    SELECT 1 FROM "Integration"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR SHARE`;
  return db.integration.findFirst({
    where: { id, organizationId, archivedAt: null, authMode: 'user_token' },
  });
}
