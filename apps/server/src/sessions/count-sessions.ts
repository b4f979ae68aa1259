import type { Db } from '../platform/database/store.ts';
import { isLasting } from './leases.ts';
import type { SessionAdmin } from './shown-session.ts';
import { interval, ttl } from './sql.ts';

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
  admin: Pick<SessionAdmin, 'viewOf'>,
): Promise<Map<string, SessionCounts>> {
  const { windows, local } = admin.viewOf({ applicationId: applicationIds });
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
        AND s."lastActivityAt" > now() - ${ttl(windows)}
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
