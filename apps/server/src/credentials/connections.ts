import type { Connection, Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';

/** What a body shows of a connection. */
export const connectionColumns = {
  mode: true,
  destination: true,
  reason: true,
  displayName: true,
  expiresAt: true,
} as const satisfies Prisma.ConnectionSelect;

/** A connection without its credential. */
export type ConnectionRow = Pick<Connection, keyof typeof connectionColumns>;

/**
 * Puts a connection in the place of the user's earlier one. It gets an id of its own, so that a late
 * refusal of the earlier credential does not mark this one.
 */
export function replaceConnection(db: Db, connection: Connection): Promise<ConnectionRow> {
  const { integrationId, userId } = connection;
  return db.connection.upsert({
    where: { integrationId_userId: { integrationId, userId } },
    create: connection,
    update: connection,
    select: connectionColumns,
  });
}

export async function deleteConnection(
  db: Db,
  integrationId: string,
  userId: string,
): Promise<boolean> {
  const { count } = await db.connection.deleteMany({ where: { integrationId, userId } });
  return count === 1;
}

/** Deletes every user's OAuth tokens for an integration; tells whose they were. */
export async function deleteOauthConnections(db: Db, integrationId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ userId: string }[]>`
    DELETE FROM "Connection" WHERE "integrationId" = ${integrationId}::uuid AND "mode" = 'oauth'
    RETURNING "userId"`;
  return rows.map(({ userId }) => userId);
}
