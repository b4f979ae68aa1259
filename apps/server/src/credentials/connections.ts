import type { Connection, Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';

/** The columns that a response shows. */
export const connectionColumns = {
  mode: true,
  destination: true,
  reason: true,
  displayName: true,
  expiresAt: true,
} as const satisfies Prisma.ConnectionSelect;

/** The columns of a connection with a credential that does not need refreshing. */
export const neverRefreshed = {
  tokenVersion: 0,
  leaseOwner: null,
  leaseUntil: null,
  retryAt: null,
  failedRefreshes: 0,
  refreshFailure: null,
  refreshedAt: null,
} as const satisfies Partial<Connection>;

/** A connection without its credential. */
export type ConnectionRow = Pick<Connection, keyof typeof connectionColumns>;

/**
 * Replaces the user's earlier connection, if any. The new one has a new id, so that it is not marked
 * when the upstream rejects the earlier credential late.
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
