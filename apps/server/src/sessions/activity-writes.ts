import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { interval } from './sql.ts';

/** How long a presence row counts without being refreshed, in milliseconds. */
export const LEASE = 5_000;

export interface ActivityAge {
  readonly id: string;
  /** Milliseconds since the activity. */
  readonly age: number;
}

/** A table of sessions, and its column for the last activity. */
interface Active {
  readonly table: Prisma.Sql;
  readonly at: Prisma.Sql;
  readonly hasNotEnded: Prisma.Sql;
}

const SESSION: Active = {
  table: Prisma.sql`"Session"`,
  at: Prisma.sql`"lastActivityAt"`,
  hasNotEnded: Prisma.sql`s."state" = 'open'`,
};

const AGGREGATE_SESSION: Active = {
  table: Prisma.sql`"AggregateSession"`,
  at: Prisma.sql`"lastUsedAt"`,
  hasNotEnded: Prisma.sql`s."endedAt" IS NULL`,
};

/**
 * Writes activity by the database's clock. Rows that another transaction has locked are skipped, not
 * waited for: a batch must not deadlock with a revocation.
 *
 * @returns the ids of open sessions that were skipped: still to be written.
 */
export function writeActivity(db: Db, ages: readonly ActivityAge[]): Promise<Set<string>> {
  return write(db, ages, SESSION);
}

/** Like {@link writeActivity}, for aggregate sessions. */
export function writeUses(db: Db, ages: readonly ActivityAge[]): Promise<Set<string>> {
  return write(db, ages, AGGREGATE_SESSION);
}

async function write(
  db: Db,
  ages: readonly ActivityAge[],
  { table, at, hasNotEnded }: Active,
): Promise<Set<string>> {
  const ids = ages.map(({ id }) => id);
  const skipped = await db.$queryRaw<{ id: string }[]>`
    WITH "seen" AS (
      SELECT s."id", v."age" FROM ${table} s
      JOIN unnest(${ids}::uuid[], ${ages.map(({ age }) => age)}::float8[])
        AS v("id", "age") ON v."id" = s."id"
      WHERE ${hasNotEnded} FOR NO KEY UPDATE OF s SKIP LOCKED
    ), "written" AS (
      UPDATE ${table} s
      SET ${at} = greatest(s.${at}, now() - "seen"."age" * interval '1 millisecond')
      FROM "seen" WHERE s."id" = "seen"."id" RETURNING s."id"
    )
    SELECT s."id" FROM ${table} s
    WHERE s."id" = ANY(${ids}::uuid[]) AND ${hasNotEnded}
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
