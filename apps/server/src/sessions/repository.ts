import { Prisma } from '../generated/prisma/client.ts';
import type { Era } from '../mcp/era.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { endAssignments, interval, isInFlight, isOpen } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/** How a session has ended. `closed`: by its client, or because the upstream no longer knows it. */
export type SessionEnd = 'closed' | 'expired' | 'revoked';

/** Milliseconds of silence after which a session ends that its client has not used. */
const SILENCE = 60_000;

/** An open session, as it is read into memory. */
export interface SessionRow {
  readonly id: string;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly attachmentId: string;
  readonly subjectId: string;
  readonly bearerId: string;
  readonly era: Era;
  readonly sealed: Uint8Array | null;
  readonly keyId: string | null;
  /** Its client has not used it: only lists were read in it. */
  readonly isUnused: boolean;
  /** Milliseconds since its last activity, by the database's clock. */
  readonly silentFor: number;
}

/** The columns of a new session beside those of its route and caller. */
export interface NewSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly era: Era;
  readonly hash: Buffer<ArrayBuffer> | null;
  readonly sealed: Buffer<ArrayBuffer> | null;
  readonly keyId: string | null;
  /** The aggregate session that this one is behind. */
  readonly aggregateSessionId?: string | undefined;
  readonly isUnused?: boolean;
}

const placeAndCaller = Prisma.sql`
  s."id", s."organizationId", s."applicationId", s."integrationId", s."attachmentId",
  s."userId" AS "subjectId", s."tokenId" AS "bearerId", s."era"::text AS "era", s."isUnused"`;

/** The columns of {@link SessionRow}. */
const columns = Prisma.sql`${placeAndCaller}, s."sealed", s."keyId",
  (extract(epoch FROM now() - s."lastActivityAt") * 1000)::float8 AS "silentFor"`;

/** The row of a legacy session, also of one that has ended, for as long as it is kept. */
export async function findByHash(
  db: Db,
  hash: Buffer,
  windows: SessionWindows,
): Promise<(SessionRow & { readonly isOpen: boolean }) | undefined> {
  const [row] = await db.$queryRaw<(SessionRow & { readonly isOpen: boolean })[]>`
    SELECT ${columns}, (${isOpen(windows)}) AS "isOpen" FROM "Session" s WHERE s."hash" = ${hash}`;
  return row;
}

/** @param condition on the columns of `s`, which at most one open session meets */
export async function findOpen(
  db: Db,
  condition: Prisma.Sql,
  windows: SessionWindows,
): Promise<SessionRow | undefined> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    SELECT ${columns} FROM "Session" s WHERE ${condition} AND ${isOpen(windows)}`;
  return row;
}

/**
 * The open modern session of a token on an attachment. Only the newest one that has not ended can be
 * open, because a new one is made only after it expired: older ones are not read.
 */
export async function findModernSession(
  db: Db,
  attachmentId: string,
  bearerId: string,
  windows: SessionWindows,
): Promise<SessionRow | undefined> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    SELECT ${columns} FROM (
      SELECT * FROM "Session"
      WHERE "tokenId" = ${bearerId}::uuid AND "attachmentId" = ${attachmentId}::uuid
        AND "era" = 'modern' AND "state" = 'open'
      ORDER BY "id" DESC LIMIT 1
    ) s WHERE ${isOpen(windows)}`;
  return row;
}

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
      RETURNING ${placeAndCaller}, u."sealed", u."keyId", 0::float8 AS "silentFor", a."hello"`;
    if (ended.length > 0) announce(...ended.map(({ id }) => ({ kind: 'session', id }) as const));
    return ended;
  });
}

/** Locks the application, so that its modern sessions are created one after another. */
export async function lockApplication(db: Db, applicationId: string): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "Application" WHERE "id" = ${applicationId}::uuid FOR NO KEY UPDATE`;
}

/** Which of these sessions have ended, and how; one query. */
export async function findEnded<S extends { readonly id: string }>(
  db: Db,
  sessions: readonly S[],
): Promise<ReadonlyMap<S, SessionEnd>> {
  const ids = [...new Set(sessions.map(({ id }) => id))];
  const rows = await db.$queryRaw<{ id: string; state: 'open' | SessionEnd }[]>`
    SELECT "id", "state"::text AS "state" FROM "Session" WHERE "id" = ANY(${ids}::uuid[])`;
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  return new Map(
    sessions.flatMap((session) => {
      // Rows are removed long after the end.
      const state = states.get(session.id) ?? 'closed';
      return state === 'open' ? [] : [[session, state]];
    }),
  );
}
