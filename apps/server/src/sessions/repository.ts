import { Prisma } from '../generated/prisma/client.ts';
import type { Era } from '../mcp/era.ts';
import type { Db } from '../platform/database/store.ts';
import { isOpen } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/** How a session has ended. `closed`: by its client, or because the upstream no longer knows it. */
export type SessionEnd = 'closed' | 'expired' | 'revoked';

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

/** What is stored for a new session in addition to its route and caller. */
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

/** The columns of {@link SessionRow}. */
const columns = Prisma.sql`
  s."id", s."organizationId", s."applicationId", s."integrationId", s."attachmentId",
  s."userId" AS "subjectId", s."tokenId" AS "bearerId", s."era"::text AS "era", s."sealed", s."keyId", s."isUnused",
  (extract(epoch FROM now() - s."lastActivityAt") * 1000)::float8 AS "silentFor"`;

export async function findSessionByHash(
  db: Db,
  hash: Buffer,
  windows: SessionWindows,
): Promise<SessionRow | undefined> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    SELECT ${columns} FROM "Session" s WHERE s."hash" = ${hash} AND ${isOpen(windows)}`;
  return row;
}

/** Also one that has ended, for as long as its row is kept. */
export async function findSessionInAnyState(
  db: Db,
  hash: Buffer,
  windows: SessionWindows,
): Promise<(SessionRow & { readonly isOpen: boolean }) | undefined> {
  const [row] = await db.$queryRaw<(SessionRow & { readonly isOpen: boolean })[]>`
    SELECT ${columns}, (${isOpen(windows)}) AS "isOpen" FROM "Session" s WHERE s."hash" = ${hash}`;
  return row;
}

/** The open one of that attachment behind an aggregate session: the unique index lets there be one. */
export async function findAggregatedSession(
  db: Db,
  aggregateSessionId: string,
  attachmentId: string,
  windows: SessionWindows,
): Promise<SessionRow | undefined> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    SELECT ${columns} FROM "Session" s
    WHERE s."aggregateSessionId" = ${aggregateSessionId}::uuid
      AND s."attachmentId" = ${attachmentId}::uuid AND ${isOpen(windows)}`;
  return row;
}

/** Whether one of an attachment was revoked by itself, so that no other one begins there yet. */
export async function isAggregatedRefused(
  db: Db,
  aggregateSessionId: string,
  attachmentId: string,
): Promise<boolean> {
  const refusing = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Session" s
    WHERE s."aggregateSessionId" = ${aggregateSessionId}::uuid
      AND s."attachmentId" = ${attachmentId}::uuid AND s."refusedUntil" > now() LIMIT 1`;
  return refusing.length > 0;
}

export async function findOpenSession(
  db: Db,
  id: string,
  windows: SessionWindows,
): Promise<SessionRow | undefined> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    SELECT ${columns} FROM "Session" s WHERE s."id" = ${id}::uuid AND ${isOpen(windows)}`;
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

/**
 * The revoked modern session that still blocks the token on the attachment. Only the newest one can:
 * while a token is blocked, no new session is made.
 */
export function activeBlock(attachmentId: Prisma.Sql, bearerId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT r."refusedUntil" FROM (
      SELECT "refusedUntil" FROM "Session"
      WHERE "tokenId" = ${bearerId} AND "attachmentId" = ${attachmentId}
        AND "era" = 'modern' AND "state" = 'revoked'
      ORDER BY "id" DESC LIMIT 1
    ) r WHERE r."refusedUntil" > now()`;
}

/** Milliseconds that the token remains blocked on the attachment; undefined if it is not blocked. */
export async function findBlock(
  db: Db,
  attachmentId: string,
  bearerId: string,
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ left: number }[]>`
    SELECT (extract(epoch FROM f."refusedUntil" - now()) * 1000)::float8 AS "left"
    FROM (${activeBlock(Prisma.sql`${attachmentId}::uuid`, Prisma.sql`${bearerId}::uuid`)}) f`;
  return row?.left;
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
