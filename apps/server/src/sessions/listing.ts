import type { SessionKind } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Era } from '../mcp/era.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import { isLasting } from './leases.ts';
import { interval, isOpen, ttl } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/** Ids of sessions that this node has in memory, ahead of what it has written. */
export interface LocalSessions {
  readonly nodeId: string;
  /** Something is in flight on this node. */
  readonly live: readonly string[];
  /** Active within the window. */
  readonly active: readonly string[];
}

/**
 * The counters of one application. `live` sessions are among the `active` and `idle` ones. Leases that
 * still last are among the `active` ones alone.
 */
export interface SessionCounts {
  readonly active: number;
  readonly idle: number;
  readonly live: number;
  readonly total: number;
}

interface CountRow {
  readonly id: string;
  readonly total: number;
  readonly open: number;
  readonly active: number;
  readonly live: number;
  readonly leases: number;
}

/**
 * The counters of these applications, in one statement: an index range of `(applicationId, state,
 * lastActivityAt)`, plus the few sessions that are open because something is in flight.
 */
export async function countSessions(
  db: Db,
  applicationIds: readonly string[],
  windows: SessionWindows,
  local: LocalSessions,
): Promise<Map<string, SessionCounts>> {
  const longest = Math.max(windows.legacyTtl, windows.modernTtl);
  const ids = [...applicationIds];
  const rows = await db.$queryRaw<CountRow[]>`
    WITH "wanted" AS (
      SELECT "id", "totalSessionCount" FROM "Application" WHERE "id" = ANY(${ids}::uuid[])
    ), "live" AS MATERIALIZED (
      SELECT p."sessionId" AS "id" FROM "SessionPresence" p
      WHERE p."applicationId" = ANY(${ids}::uuid[]) AND p."leaseUntil" > now()
        AND p."nodeId" <> ${local.nodeId}::uuid
      UNION SELECT unnest(${[...local.live]}::uuid[])
    ), "kept" AS (
      SELECT "id" FROM "live" UNION SELECT unnest(${[...local.active]}::uuid[])
    ), "open" AS (
      SELECT s."id", s."applicationId", s."lastActivityAt" FROM "wanted" w
      JOIN "Session" s ON s."applicationId" = w."id"
      WHERE s."state" = 'open' AND s."lastActivityAt" > now() - ${interval(longest)}
        AND s."lastActivityAt" > now() - CASE s."era"
          WHEN 'legacy' THEN ${interval(windows.legacyTtl)} ELSE ${interval(windows.modernTtl)} END
      UNION
      SELECT s."id", s."applicationId", s."lastActivityAt" FROM "kept" k
      JOIN "Session" s ON s."id" = k."id" JOIN "wanted" w ON w."id" = s."applicationId"
      WHERE s."state" = 'open'
    )
    SELECT w."id", w."totalSessionCount" AS "total",
      count(o."id")::int AS "open",
      (count(o."id") FILTER (WHERE o."lastActivityAt" > now() - ${interval(windows.active)}
        OR o."id" = ANY(${[...local.active]}::uuid[])))::int AS "active",
      (count(o."id") FILTER (WHERE o."id" IN (SELECT "id" FROM "live")))::int AS "live",
      (SELECT count(*) FROM "CredentialLease"
        WHERE "applicationId" = w."id" AND ${isLasting})::int AS "leases"
    FROM "wanted" w LEFT JOIN "open" o ON o."applicationId" = w."id"
    GROUP BY w."id", w."totalSessionCount"`;
  return new Map(
    rows.map(({ id, total, open, active, live, leases }) => [
      id,
      { active: active + leases, idle: open - active, live, total },
    ]),
  );
}

/** A session or lease as the management API shows it. */
export interface ListedSession {
  readonly kind: SessionKind;
  readonly id: string;
  readonly integrationId: string;
  readonly userId: string;
  /** By whether the upstream issued a session id, not by the client's version: a legacy client may have a modern session. */
  readonly era: Era;
  readonly state: 'open' | 'closed' | 'expired' | 'revoked';
  /** Something is in flight, on any node. */
  readonly live: boolean;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
  /** Of a lease. */
  readonly expiresAt: Date | null;
}

export interface SessionPageRequest {
  readonly applicationId: string;
  /** Only sessions with a smaller id. */
  readonly before: string | undefined;
  readonly take: number;
}

const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A page of an application's sessions and leases in any state, newest first, with a keyset on the id alone. A
 * revocation also ends rows of sessions that had expired; they are listed as expired all the same.
 */
export function listSessions(
  db: Db,
  { applicationId, before = MAX_ID, take }: SessionPageRequest,
  windows: SessionWindows,
  local: LocalSessions,
): Promise<ListedSession[]> {
  const live = [...local.live];
  const only = oneRangeOf(applicationId).in;
  const hadExpired = Prisma.sql`
    (s."state" = 'revoked' AND s."endedAt" > s."lastActivityAt" + ${ttl(windows)})`;
  const sessions = Prisma.sql`
    SELECT 'session' AS "kind", s."id", s."integrationId", s."userId", s."era"::text AS "era",
      CASE WHEN ${hadExpired} THEN 'expired'
        WHEN s."state" <> 'open' THEN s."state"::text
        WHEN s."id" = ANY(${live}::uuid[]) OR (${isOpen(windows)}) THEN 'open'
        ELSE 'expired' END AS "state",
      s."state" = 'open' AND (s."id" = ANY(${live}::uuid[]) OR EXISTS (
        SELECT 1 FROM "SessionPresence" p WHERE p."sessionId" = s."id"
          AND p."leaseUntil" > now() AND p."nodeId" <> ${local.nodeId}::uuid)) AS "live",
      s."createdAt", s."lastActivityAt", CASE WHEN NOT ${hadExpired} THEN s."endedAt" END AS "endedAt",
      NULL::timestamptz AS "expiresAt"
    FROM "Session" s
    WHERE s."applicationId" = ANY(${only}::uuid[]) AND s."id" < ${before}::uuid
    ORDER BY s."applicationId", s."id" DESC LIMIT ${take}`;
  const leases = Prisma.sql`
    SELECT 'lease' AS "kind", "id", "integrationId", "userId", 'modern' AS "era",
      CASE WHEN "endedAt" IS NOT NULL THEN 'revoked' WHEN ${isLasting} THEN 'open'
        ELSE 'expired' END AS "state",
      false AS "live", "createdAt", "createdAt" AS "lastActivityAt", "endedAt", "expiresAt"
    FROM "CredentialLease"
    WHERE "applicationId" = ANY(${only}::uuid[]) AND "id" < ${before}::uuid
    ORDER BY "applicationId", "id" DESC LIMIT ${take}`;
  return db.$queryRaw<ListedSession[]>`
    SELECT * FROM ((${sessions}) UNION ALL (${leases})) "both" ORDER BY "id" DESC LIMIT ${take}`;
}
