import { presentDestination } from '@gatehouse/contract';
import type { Connection, Integration } from '../generated/prisma/client.ts';
import { connectionSealContext } from '../vault/seal-contexts.ts';
import { VaultError } from '../vault/vault.ts';
import type { ModeDeps } from './modes/mode.ts';
import { type OauthGrant, parseGrant } from './oauth/grant.ts';
import { credentialTargetOf } from './target.ts';

/** A person's connection of mode `oauth`, decrypted. */
export interface OwnGrant {
  readonly row: Connection;
  readonly grant: OauthGrant;
}

/** A person's grant for what the integration is now; undefined if there is none that can be read. */
export async function findOwnGrant(
  { db, vault }: ModeDeps,
  integration: Integration,
  userId: string,
): Promise<OwnGrant | undefined> {
  const { organizationId, id: integrationId } = integration;
  const row = await db.connection.findUnique({
    where: { integrationId_userId: { integrationId, userId }, organizationId },
  });
  const destination = presentDestination(credentialTargetOf(integration));
  if (row?.mode !== 'oauth' || row.destination !== destination) return undefined;
  try {
    return { row, grant: parseGrant(vault.open(row, connectionSealContext(row))) };
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
