import type { Db } from '../platform/database/store.ts';
import type { SessionCounts } from './sessions.ts';
import { interval } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/** Ids of sessions that this node has in memory, ahead of what it has written. */
export interface LocalSessions {
  readonly nodeId: string;
  /** Something is in flight on this node. */
  readonly live: readonly string[];
  /** Active within the window. */
  readonly active: readonly string[];
}

interface CountRow {
  readonly id: string;
  readonly total: number;
  readonly open: number;
  readonly active: number;
  readonly live: number;
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
      (count(o."id") FILTER (WHERE o."id" IN (SELECT "id" FROM "live")))::int AS "live"
    FROM "wanted" w LEFT JOIN "open" o ON o."applicationId" = w."id"
    GROUP BY w."id", w."totalSessionCount"`;
  return new Map(
    rows.map(({ id, total, open, active, live }) => [
      id,
      { active, idle: open - active, live, total },
    ]),
  );
}
