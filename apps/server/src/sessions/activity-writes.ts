import type { Db } from '../platform/database/store.ts';
import { interval } from './sql.ts';

/** How long a presence row counts without being refreshed, in milliseconds. */
export const LEASE = 5_000;

export interface ActivityAge {
  readonly id: string;
  /** Milliseconds since the activity. */
  readonly age: number;
}

/**
 * Writes activity by the database's clock. Rows that another transaction has locked are skipped, not
 * waited for: a batch must not deadlock with a revocation.
 *
 * @returns the ids of open sessions that were skipped: still to be written.
 */
export async function writeActivity(db: Db, ages: readonly ActivityAge[]): Promise<Set<string>> {
  const ids = ages.map(({ id }) => id);
  const skipped = await db.$queryRaw<{ id: string }[]>`
    WITH "seen" AS (
      SELECT s."id", v."age" FROM "Session" s
      JOIN unnest(${ids}::uuid[], ${ages.map(({ age }) => age)}::float8[])
        AS v("id", "age") ON v."id" = s."id"
      WHERE s."state" = 'open' FOR NO KEY UPDATE OF s SKIP LOCKED
    ), "written" AS (
      UPDATE "Session" s
      SET "lastActivityAt" = greatest(s."lastActivityAt", now() - "seen"."age" * interval '1 millisecond')
      FROM "seen" WHERE s."id" = "seen"."id" RETURNING s."id"
    )
    SELECT s."id" FROM "Session" s
    WHERE s."id" = ANY(${ids}::uuid[]) AND s."state" = 'open'
      AND s."id" NOT IN (SELECT "id" FROM "written")`;
  return new Set(skipped.map(({ id }) => id));
}

/** Writes that these sessions are in flight on a node, for {@link LEASE} from now. */
export async function writePresence(
  db: Db,
  nodeId: string,
  sessionIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "SessionPresence" ("sessionId", "nodeId", "applicationId", "leaseUntil")
    SELECT s."id", ${nodeId}::uuid, s."applicationId", now() + ${interval(LEASE)} FROM "Session" s
    WHERE s."id" = ANY(${[...sessionIds]}::uuid[]) AND s."state" = 'open'
    ON CONFLICT ("sessionId", "nodeId") DO UPDATE SET "leaseUntil" = excluded."leaseUntil"`;
}

export async function deletePresence(
  db: Db,
  nodeId: string,
  sessionIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "SessionPresence"
    WHERE "sessionId" = ANY(${[...sessionIds]}::uuid[]) AND "nodeId" = ${nodeId}::uuid`;
}

/** Deletes every presence row of this node; the leases of a crashed node expire by themselves. */
export async function deletePresenceOfNode(db: Db, nodeId: string): Promise<void> {
  await db.sessionPresence.deleteMany({ where: { nodeId } });
}
