import { type ConnectionStatus, presentDestination } from '@gatehouse/contract';
import type { Connection, Integration, Prisma } from '../generated/prisma/client.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import { type ConnectionRow, connectionColumns } from './connections.ts';
import { credentialTargetOf } from './target.ts';

/** A connection of any member. */
export interface MemberConnectionRow
  extends ConnectionRow,
    Pick<Connection, 'createdAt' | 'refreshedAt'> {
  /** The member's. */
  readonly id: string;
  readonly user: { readonly name: string; readonly email: string };
}

export interface ConnectionsFilter {
  readonly userId?: string | undefined;
  readonly status?: ConnectionStatus | undefined;
}

/** Who has connected an integration, the newest member first: a connection's own id changes with its credential. */
export async function listConnections(
  db: Db,
  integration: Integration,
  { userId, status }: ConnectionsFilter,
  { before, take }: { readonly before: string | undefined; readonly take: number },
): Promise<MemberConnectionRow[]> {
  const rows = await db.connection.findMany({
    where: {
      integrationId: oneRangeOf(integration.id),
      userId: {
        ...(userId === undefined ? {} : { equals: userId }),
        ...(before === undefined ? {} : { lt: before }),
      },
      ...(status === 'connected' ? isConnected(integration) : {}),
      ...(status === 'disconnected' ? { NOT: isConnected(integration) } : {}),
    },
    // Both descending: the unique index, read backwards.
    orderBy: [{ integrationId: 'desc' }, { userId: 'desc' }],
    take,
    select: {
      ...connectionColumns,
      userId: true,
      createdAt: true,
      refreshedAt: true,
      user: { select: { name: true, email: true } },
    },
  });
  return rows.map(({ userId: id, ...row }) => ({ id, ...row }));
}

/** What `connectionStatusOf` says of each row. */
function isConnected(integration: Integration): Prisma.ConnectionWhereInput {
  const target = credentialTargetOf(integration);
  const { authMode } = target;
  if (authMode !== 'oauth' && authMode !== 'user_token') return { id: { in: [] } };
  return { mode: authMode, destination: presentDestination(target) };
}
