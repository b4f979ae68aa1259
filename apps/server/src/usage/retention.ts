import { type UsageStep, usageKeptHours } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { added, counts, summed } from './columns.ts';

/* Batches of what housekeeping does to usage. Each is one statement, so any number of nodes may do it at once. */

/**
 * Adds hours to their days, each once. A node writes an hour's counts within a second or two; those of a node that
 * could not write for six hours are left out of the day.
 *
 * @returns how many hours were added
 */
export async function addHoursToDays(db: Db, size: number): Promise<number> {
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
export function deleteMinutes(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "UsageMinute" WHERE ctid = ANY(ARRAY(
      SELECT m.ctid FROM "Organization" o CROSS JOIN LATERAL (
        SELECT u.ctid FROM "UsageMinute" u
        WHERE u."organizationId" = o."id" AND u."at" < now() - ${age('minute')}
        ORDER BY u."at" LIMIT ${size} FOR UPDATE SKIP LOCKED) m
      LIMIT ${size}))`;
}

export function deleteHours(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "UsageHour" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "UsageHour" WHERE "isInDay" AND "at" < now() - ${age('hour')}
      ORDER BY "at" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

export function deleteDays(db: Db, size: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "UsageDay" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "UsageDay" WHERE "at" < now() - ${age('day')}
      ORDER BY "at" LIMIT ${size} FOR UPDATE SKIP LOCKED))`;
}

/** The age at which rows leave. */
function age(step: UsageStep): Prisma.Sql {
  return Prisma.raw(`interval '${usageKeptHours[step]} hours'`);
}
