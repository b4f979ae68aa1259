import { type ConnectionReason, limits } from '@gatehouse/contract';
import { statusAt } from '../../credentials/connection-status.ts';
import type { ConnectionRow } from '../../credentials/connections.ts';
import type { AuthMode } from '../../generated/prisma/enums.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';

export interface OwnConnections {
  readonly connected: number;
  /** Those with a reason to connect again, the newest first. */
  readonly toRenew: readonly ConnectionToRenew[];
}

export interface ConnectionToRenew {
  readonly integrationId: string;
  readonly name: string;
  readonly reason: ConnectionReason;
}

interface Row extends Omit<ConnectionRow, 'displayName'> {
  readonly integrationId: string;
  readonly name: string;
  readonly url: string;
  readonly authMode: AuthMode;
  readonly issuer: string | null;
  readonly clientId: string | null;
}

/** The person's newest connections by their state. Only the configuration that decides it is read. */
export async function readOwnConnections(db: Db, userId: string): Promise<OwnConnections> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT c."integrationId", c."mode"::text AS "mode", c."destination", c."reason"::text AS "reason",
      c."expiresAt", i."name", i."url", i."authMode"::text AS "authMode",
      i."oauth" ->> 'issuer' AS "issuer", i."oauth" ->> 'clientId' AS "clientId"
    FROM (
      SELECT * FROM "Connection" WHERE "userId" = ANY(${oneRangeOf(userId).in}::uuid[])
      ORDER BY "userId", "id" DESC LIMIT ${limits.overviewRows}
    ) c JOIN "Integration" i ON i."id" = c."integrationId"
    WHERE i."archivedAt" IS NULL ORDER BY c."id" DESC`;
  const states = rows.map((row) => ({ row, ...statusOf(row) }));
  return {
    connected: states.filter(({ isConnected }) => isConnected).length,
    toRenew: states.flatMap(({ row: { integrationId, name }, reason }) =>
      reason === undefined ? [] : [{ integrationId, name, reason }],
    ),
  };
}

function statusOf({ url, authMode, issuer, clientId, ...connection }: Row) {
  const oauthIssuer = issuer ?? undefined;
  const oauthClientId = clientId ?? undefined;
  return statusAt({ url, authMode, oauthIssuer, oauthClientId }, connection);
}
