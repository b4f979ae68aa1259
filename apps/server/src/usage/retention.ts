import { usageKeptHours } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import { inBatches } from '../platform/database/batches.ts';
import type { Db } from '../platform/database/store.ts';
import { added, counts, summed } from './columns.ts';

/**
 * Adds hours to their days, and deletes what is old. Any number of nodes may do it at once: each batch is one statement.
 *
 * @param days for which usage is kept; minutes and hours leave sooner
 * @param signal ends it soon
 */
export async function sweepUsage(db: Db, days: number, signal?: AbortSignal): Promise<void> {
  for (const change of usageChangesOf(db, days)) await inBatches(change, { signal });
}

/** The changes of a sweep. Each takes the most rows of a batch, and returns how many it has changed. */
export function usageChangesOf(
  db: Db,
  days: number,
): readonly ((size: number) => Promise<number>)[] {
  const most = 24 * days;
  const [minute, hour] = [
    Math.min(usageKeptHours.minute, most),
    Math.min(usageKeptHours.hour, most),
  ];
  return [
    (size) => addHoursToDays(db, size),
    (size) => deleteMinutes(db, minute, size),
    (size) => deleteHours(db, hour, size),
    (size) => deleteDays(db, most, size),
  ];
}

/**
 * Adds hours to their days, each once. A node writes an hour's counts within a second or two; those of a node that
 * could not write for six hours are left out of the day.
 *
 * @returns how many hours were added
 */
async function addHoursToDays(db: Db, size: number): Promise<number> {
  const [batch] = await db.$queryRaw<{ readonly hours: number }[]>`
    WITH "taken" AS (
      UPDATE "UsageHour" SET "isInDay" = true WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "UsageHour" WHERE NOT "isInDay" AND "at" < now() - interval '6 hours'
        ORDER BY "at" LIMIT ${size} FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), "added" AS (
      INSERT INTO "UsageDay" AS t
        ("organizationId", "applicationId", "integrationId", "tool", "userId", "at", ${counts})
      SELECT "organizationId", "applicationId", "integrationId", "tool", "userId",
        date_trunc('day', "at", 'UTC'), ${summed}
      FROM "taken" GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 6, 5, 3, 4
      ON CONFLICT ("organizationId", "applicationId", "at", "userId", "integrationId", "tool")
        DO UPDATE SET ${added})
    SELECT count(*)::int AS "hours" FROM "taken"`;
  return batch?.hours ?? 0;
}

/** Organization by organization: no index is for this alone. */
function deleteMinutes(db: Db, hours: number, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "UsageMinute" WHERE ctid = ANY(ARRAY(
      SELECT m.ctid FROM "Organization" o CROSS JOIN LATERAL (
        SELECT u.ctid FROM "UsageMinute" u
        WHERE u."organizationId" = o."id" AND u."at" < now() - ${age(hours)}
        ORDER BY u."at" LIMIT ${size} FOR UPDATE SKIP LOCKED) m
      LIMIT ${size}))`;
}

function deleteHours(db: Db, hours: number, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "UsageHour" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "UsageHour" WHERE "isInDay" AND "at" < now() - ${age(hours)}
      ORDER BY "at" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

function deleteDays(db: Db, hours: number, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "UsageDay" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "UsageDay" WHERE "at" < now() - ${age(hours)}
      ORDER BY "at" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** The age at which rows leave. */
function age(hours: number): Prisma.Sql {
  return Prisma.sql`${hours}::int * interval '1 hour'`;
}
