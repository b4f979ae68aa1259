import type { EventActor } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Tx } from '../platform/database/store.ts';
import { revokeSessionsOfConnection } from '../sessions/revocation.ts';
import { deleteConnections } from './oauth/revocation/outbox.ts';

/**
 * Deletes a person's connection to an integration, if there is one, and ends the sessions that use it. The
 * tokens of an OAuth connection are revoked at the provider after the commit.
 */
export async function disconnect(
  tx: Tx,
  { integrationId, userId }: { readonly integrationId: string; readonly userId: string },
  actor: EventActor,
): Promise<void> {
  const where = Prisma.sql`"integrationId" = ${integrationId}::uuid AND "userId" = ${userId}::uuid`;
  const deleted = await deleteConnections(tx, where);
  if (deleted.length === 0) return;
  await revokeSessionsOfConnection(tx, integrationId, userId);
  tx.record({ action: 'connection.removed', actor, targetId: `${integrationId}:${userId}` });
}

/** Deletes the OAuth connections of all users to an integration. The caller ends the sessions. */
export async function disconnectEveryone(tx: Tx, integrationId: string): Promise<void> {
  const where = Prisma.sql`"integrationId" = ${integrationId}::uuid AND "mode" = 'oauth'`;
  for (const { userId } of await deleteConnections(tx, where)) {
    tx.announce({ kind: 'connection', id: `${integrationId}:${userId}` });
  }
}

/** Deletes every connection of a member who is being removed. The caller ends the sessions. */
export async function disconnectMember(tx: Tx, userId: string): Promise<void> {
  await deleteConnections(tx, Prisma.sql`"userId" = ${userId}::uuid`);
}
