import { Prisma } from '../generated/prisma/client.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import type { LocalSessions } from './counters.ts';
import type { ListedSession, SessionPageRequest } from './sessions.ts';
import { isOpen, ttl } from './sql.ts';
import type { SessionWindows } from './windows.ts';

const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A page of an application's sessions in any state, newest first, with a keyset on the id alone. A
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
  return db.$queryRaw<ListedSession[]>`
    SELECT s."id", s."integrationId", s."userId", s."era"::text AS "era",
      CASE WHEN ${hadExpired} THEN 'expired'
        WHEN s."state" <> 'open' THEN s."state"::text
        WHEN s."id" = ANY(${live}::uuid[]) OR (${isOpen(windows)}) THEN 'open'
        ELSE 'expired' END AS "state",
      s."state" = 'open' AND (s."id" = ANY(${live}::uuid[]) OR EXISTS (
        SELECT 1 FROM "SessionPresence" p WHERE p."sessionId" = s."id"
          AND p."leaseUntil" > now() AND p."nodeId" <> ${local.nodeId}::uuid)) AS "live",
      s."createdAt", s."lastActivityAt", CASE WHEN NOT ${hadExpired} THEN s."endedAt" END AS "endedAt"
    FROM "Session" s
    WHERE s."applicationId" = ANY(${only}::uuid[]) AND s."id" < ${before}::uuid
    ORDER BY s."applicationId", s."id" DESC LIMIT ${take}`;
}
