import { Prisma } from '../generated/prisma/client.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { findOpen, type SessionRow } from './repository.ts';
import { endAssignments, interval, isInFlight, isOpen } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/** The attachment of an integration behind an aggregate session. The unique index lets there be one open session of it. */
export interface PlaceBehind {
  readonly aggregateSessionId: string;
  readonly attachmentId: string;
}

const isAt = ({ aggregateSessionId, attachmentId }: PlaceBehind) => Prisma.sql`
  s."aggregateSessionId" = ${aggregateSessionId}::uuid AND s."attachmentId" = ${attachmentId}::uuid`;

export function findSessionBehind(
  db: Db,
  place: PlaceBehind,
  windows: SessionWindows,
): Promise<SessionRow | undefined> {
  return findOpen(db, isAt(place), windows);
}

/** True while no other session may begin at that place, because one was revoked by itself. */
export async function isRefused(db: Db, place: PlaceBehind): Promise<boolean> {
  const refusing = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Session" s WHERE ${isAt(place)} AND s."refusedUntil" > now() LIMIT 1`;
  return refusing.length > 0;
}

/**
 * Writes that the session of that place has expired, so that another one can be stored.
 *
 * @returns its id, unless it is open
 */
export async function expireSessionBehind(
  db: Db,
  place: PlaceBehind,
  windows: SessionWindows,
): Promise<string | undefined> {
  const [expired] = await db.$queryRaw<{ id: string }[]>`
    UPDATE "Session" s SET ${endAssignments('expired')}
    WHERE ${isAt(place)} AND s."state" = 'open' AND NOT (${isOpen(windows)})
    RETURNING s."id"`;
  return expired?.id;
}

/** Milliseconds of silence after which a session ends that its client has not used. */
const SILENCE = 60_000;

/** An ended session, with the sealed id that its row has no more. */
export interface UnusedRow extends SessionRow {
  /** Its client's `initialize`, as JSON. */
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
