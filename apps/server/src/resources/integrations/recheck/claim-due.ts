import type { Integration } from '../../../generated/prisma/client.ts';
import type { Db } from '../../../platform/database/store.ts';

/** Minutes. An integration that keeps failing is still looked at so often. */
const DAY = 24 * 60;

/** Doublings beyond these change nothing: the shortest interval is 5 minutes. */
const MAX_DOUBLINGS = 10;

/** Minutes until the next validation by the service, after so many failures in a row. */
export function pauseAfter(failures: number, everyMinutes: number): number {
  const doubled = everyMinutes * 2 ** Math.min(failures, MAX_DOUBLINGS);
  return Math.min(doubled, Math.max(everyMinutes, DAY));
}

/**
 * Takes integrations that are due, and puts off their next validation first: no other node takes the same
 * ones, and what ends a process is not met again at once. Archived ones are put off too, so that they do
 * not fill the head of the index.
 */
export async function claimDue(db: Db, limit: number): Promise<Integration[]> {
  const rows = await db.$queryRaw<Integration[]>`
    UPDATE "Integration" SET "nextValidationAt" = now() + interval '1 minute' * least(
      "validateEveryMinutes" * power(2, least("failedValidations", ${MAX_DOUBLINGS}::int)),
      greatest("validateEveryMinutes", ${DAY}::int))
    WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Integration" WHERE "nextValidationAt" <= now()
      ORDER BY "nextValidationAt" LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING *`;
  return rows.filter(({ archivedAt }) => archivedAt === null);
}
