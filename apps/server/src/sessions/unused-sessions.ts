import type { Db, Store } from '../platform/database/store.ts';
import type { SessionRow } from './repository.ts';
import { endAssignments, interval, isInFlight } from './sql.ts';

/** Milliseconds of silence after which a session ends that its client has not used. */
const SILENCE = 60_000;

/** One that has ended, with what was sealed in it. */
export interface UnusedRow extends SessionRow {
  /** What its client has said, as JSON. */
  readonly hello: string;
}

/** A client uses it from now on. @returns false once it has ended */
export async function useSession(db: Db, id: string): Promise<boolean> {
  const used = await db.$executeRaw`
    UPDATE "Session" SET "isUnused" = false WHERE "id" = ${id}::uuid AND "state" = 'open'`;
  return used === 1;
}

/**
 * Closes sessions behind aggregate ones that have carried nothing but lists, and are silent. Of several nodes, one closes
 * each. A client that uses one at the same moment finds it closed, or keeps it, see {@link useSession}.
 */
export function endUnused(store: Store, size: number): Promise<readonly UnusedRow[]> {
  return store.transaction(async ({ db, announce }) => {
    const ended = await db.$queryRaw<UnusedRow[]>`
      WITH "unused" AS MATERIALIZED (
        SELECT s."id", s."sealed", s."keyId" FROM "Session" s
        WHERE s."state" = 'open' AND s."isUnused"
          AND s."lastActivityAt" < now() - ${interval(SILENCE)} AND NOT ${isInFlight}
        ORDER BY s."lastActivityAt" LIMIT ${size} FOR NO KEY UPDATE OF s SKIP LOCKED
      )
      UPDATE "Session" s SET ${endAssignments('closed')}, "endedAt" = now()
      FROM "unused" u, "AggregateSession" a
      WHERE s."id" = u."id" AND a."id" = s."aggregateSessionId"
      RETURNING s."id", s."organizationId", s."applicationId", s."integrationId", s."attachmentId",
        s."userId" AS "subjectId", s."tokenId" AS "bearerId", s."era"::text AS "era", s."isUnused",
        u."sealed", u."keyId", 0::float8 AS "silentFor", a."hello"`;
    if (ended.length > 0) announce(...ended.map(({ id }) => ({ kind: 'session', id }) as const));
    return ended;
  });
}
