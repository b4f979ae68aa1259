import type { MemberConnection } from '@gatehouse/contract';
import type { MemberConnectionRow } from '../../credentials/list-connections.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { presentConnection } from '../present-connection.ts';

/** Leaves out what only the member may see: their account at the provider. */
export function presentMemberConnection(
  integration: Integration,
  row: MemberConnectionRow,
): MemberConnection {
  const { connected, status, reason, expiresAt } = presentConnection(integration, row);
  return {
    userId: row.id,
    userName: row.user.name,
    userEmail: row.user.email,
    mode: row.mode,
    connected,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    createdAt: row.createdAt.toISOString(),
    refreshedAt: row.refreshedAt?.toISOString() ?? null,
  };
}
