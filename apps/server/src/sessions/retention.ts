import { Prisma } from '../generated/prisma/client.ts';
import { NIL } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import { smallestIdAt } from '../platform/ids.ts';
import { endAssignments } from './sql.ts';

/*
 * Batches of what housekeeping does to sessions. No index is for it alone: a session would write it at its beginning
 * or its end, and an hour's housekeeping can read more rows than a session may cost.
 */

const DAY = 24 * 60 * 60;

/** Seconds that an ended session stays in its application's list, which shows the use of the last month. */
const KEPT = 30 * DAY;

/**
 * Application by application, each found from the one before by the index that they share.
 *
 * @param ttl seconds of silence
 */
export function expireSessions(db: Db, ttl: number, size: number): Promise<number> {
  const firstAfter = (id: Prisma.Sql) => Prisma.sql`(
    SELECT s."applicationId" FROM "Session" s
    WHERE s."state" = 'open' AND s."applicationId" > ${id}
    ORDER BY s."applicationId", s."lastActivityAt" LIMIT 1)`;
  return db.$executeRaw`
    WITH RECURSIVE "used" ("id") AS (
      SELECT ${firstAfter(Prisma.sql`${NIL}::uuid`)} UNION ALL
      SELECT ${firstAfter(Prisma.sql`u."id"`)} FROM "used" u WHERE u."id" IS NOT NULL)
    UPDATE "Session" SET ${endAssignments('expired')} WHERE "state" = 'open' AND "id" = ANY(ARRAY(
      SELECT e."id" FROM "used" u CROSS JOIN LATERAL (
        SELECT s."id" FROM "Session" s
        WHERE s."state" = 'open' AND s."applicationId" = u."id"
          AND s."lastActivityAt" < now() - interval '1 hour' - ${ttl}::float8 * interval '1 second'
          AND NOT EXISTS (
            SELECT 1 FROM "SessionPresence" p
            WHERE p."sessionId" = s."id" AND p."leaseUntil" > now() - interval '10 minutes')
        ORDER BY s."lastActivityAt" LIMIT ${size} FOR NO KEY UPDATE OF s SKIP LOCKED) e
      LIMIT ${size}))`;
}

/** Deletes the presence of nodes that are gone. */
export function deletePresence(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "SessionPresence"
    WHERE "leaseUntil" < now() - interval '10 minutes' AND "sessionId" = ANY(ARRAY(
      SELECT "sessionId" FROM "SessionPresence"
      WHERE "leaseUntil" < now() - interval '10 minutes' ORDER BY "leaseUntil" LIMIT ${size}))`;
}

/**
 * A row that still blocks its token, or the aggregate session that it is behind, stays.
 *
 * @param ttl seconds of silence
 * @returns like `deletionOf`
 */
export function deletionOfSessions(db: Db, ttl: number): (size: number) => Promise<number> {
  const isOver = Prisma.sql`"endedAt" < now() - ${KEPT}::float8 * interval '1 second'
      AND ("refusedUntil" IS NULL OR "refusedUntil" < now())
    OR "state" = 'expired'
      AND "lastActivityAt" < now() - ${KEPT + ttl}::float8 * interval '1 second'`;
  return deletionOf(db, Prisma.sql`"Session"`, isOver);
}

/** Like {@link deletionOfSessions}. Expiry is not written here, because the sessions behind expire by themselves. */
export function deletionOfAggregateSessions(
  db: Db,
  ttl: number,
): (size: number) => Promise<number> {
  const isOver = Prisma.sql`"endedAt" < now() - ${KEPT}::float8 * interval '1 second'
    OR "lastUsedAt" < now() - ${KEPT + ttl}::float8 * interval '1 second'`;
  return deletionOf(db, Prisma.sql`"AggregateSession"`, isOver);
}

/**
 * Reads what was begun a month ago, from id to id, and deletes of it what ended, or expired, a month ago.
 *
 * @returns reads the next batch, and resolves with its size
 */
function deletionOf(
  db: Db,
  table: Prisma.Sql,
  isOver: Prisma.Sql,
): (size: number) => Promise<number> {
  const begunLater = smallestIdAt(Date.now() - KEPT * 1000);
  let after = NIL;
  return async (size) => {
    const [batch] = await db.$queryRaw<{ readonly read: number; readonly last: string | null }[]>`
      WITH "old" AS MATERIALIZED (
        SELECT "id", (${isOver}) AS "isOver"
        FROM ${table} WHERE "id" > ${after}::uuid AND "id" < ${begunLater}::uuid
        ORDER BY "id" LIMIT ${size}
      ), "deleted" AS (
        DELETE FROM ${table} WHERE "id" = ANY(ARRAY(
          SELECT "id" FROM ${table}
          WHERE "id" = ANY(ARRAY(SELECT "id" FROM "old" WHERE "isOver")) FOR UPDATE SKIP LOCKED)))
      SELECT count(*)::int AS "read", (SELECT "id" FROM "old" ORDER BY "id" DESC LIMIT 1) AS "last"
      FROM "old"`;
    after = batch?.last ?? after;
    return batch?.read ?? 0;
  };
}
