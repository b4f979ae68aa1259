import { Prisma } from '../generated/prisma/client.ts';
import type { ClientHello } from '../mcp/client-hello.ts';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { hashSecret, newSecret } from '../platform/secrets.ts';
import type { SessionCaller } from './open-session.ts';
import { lockApplication } from './repository.ts';
import { CLOSED_AT_ONCE, MAX_OPEN } from './session-limit.ts';
import { endAssignments, interval } from './sql.ts';

/** An application, which has one endpoint for all of its integrations. */
export interface AggregatePlace {
  readonly organizationId: string;
  readonly applicationId: string;
}

/** A session at an application's one URL. Behind it, each attachment that it uses has an ordinary session. */
export interface AggregateSession extends AggregatePlace {
  readonly id: string;
  /** The member, or the application that acts for itself. */
  readonly subjectId: string;
  /** Its client's `initialize`, for the upstreams at which sessions begin later. */
  readonly hello: ClientHello;
  /** Set by its client. */
  readonly logLevel: string | undefined;
  /** Subscriptions to resources of integrations of the modern era, each an attachment and a URI. */
  readonly subscriptions: readonly string[];
}

/** A session that has not ended, as it is read into memory. It may have been silent for too long. */
export interface FoundAggregateSession {
  readonly session: AggregateSession;
  /** Milliseconds since its last use, by the database's clock. */
  readonly silentFor: number;
}

/** A session that is to be opened. */
export interface OpeningAggregateSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly hash: Buffer<ArrayBuffer>;
  readonly place: AggregatePlace;
  readonly caller: SessionCaller;
  readonly hello: ClientHello;
}

interface Row extends Omit<AggregateSession, 'hello' | 'logLevel'> {
  readonly hello: string;
  readonly logLevel: string | null;
  readonly silentFor: number;
}

export async function findAggregateSession(
  db: Db,
  hash: Buffer,
): Promise<FoundAggregateSession | undefined> {
  const [row] = await db.$queryRaw<Row[]>`
    SELECT "id", "organizationId", "applicationId", "userId" AS "subjectId", "hello", "logLevel", "subscriptions",
      (extract(epoch FROM now() - "lastUsedAt") * 1000)::float8 AS "silentFor"
    FROM "AggregateSession" WHERE "hash" = ${hash} AND "endedAt" IS NULL`;
  if (row === undefined) return undefined;
  const { silentFor, ...session } = row;
  const logLevel = row.logLevel ?? undefined;
  return { session: { ...session, hello: JSON.parse(row.hello), logLevel }, silentFor };
}

/** @param ttl milliseconds of silence after which it has expired */
export async function isAggregateSessionOpen(db: Db, id: string, ttl: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "AggregateSession"
    WHERE "id" = ${id}::uuid AND "endedAt" IS NULL AND "lastUsedAt" > now() - ${interval(ttl)}`;
  return rows.length > 0;
}

/** True while that person's session has not ended. The session cannot end before this transaction does. */
export async function lockOpenAggregateSession(
  db: Db,
  id: string,
  userId: string,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "AggregateSession"
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "endedAt" IS NULL FOR SHARE`;
  return rows.length > 0;
}

/**
 * The open session of that hash, or this one, which is thereby opened. Nodes that need it at the same moment open one
 * between them.
 *
 * @param ttl milliseconds of silence after which a session expires
 * @throws ProblemError `not_found` when the application is gone or archived
 */
export function openShared(
  store: Store,
  ttl: number,
  opening: OpeningAggregateSession,
): Promise<FoundAggregateSession> {
  const { hash, place } = opening;
  return store.transaction(async (tx) => {
    const { db } = tx;
    await lockApplication(db, place.applicationId);
    const found = await findAggregateSession(db, hash);
    if (found !== undefined && found.silentFor < ttl) return found;
    const before = await db.aggregateSession.findUnique({ where: { hash }, select: { id: true } });
    if (before !== null) {
      await endAggregateSessions(tx, [before.id]);
      // Its hash is for the session that follows it.
      const data = { hash: hashSecret(newSecret()) };
      await db.aggregateSession.update({ where: { id: before.id }, data });
    }
    await openAggregateSession(db, opening);
    return { session: openedSession(opening), silentFor: 0 };
  });
}

/** A session that has just been opened. */
export function openedSession({
  id,
  place: { organizationId, applicationId },
  caller: { subjectId },
  hello,
}: OpeningAggregateSession): AggregateSession {
  const own = { id, organizationId, applicationId, subjectId, hello };
  return { ...own, logLevel: undefined, subscriptions: [] };
}

/** @throws ProblemError `not_found` when the application is gone or archived */
export async function openAggregateSession(
  db: Db,
  opening: OpeningAggregateSession,
): Promise<void> {
  const opened = await db.$queryRaw<unknown[]>(insertionOf([opening], Prisma.empty));
  if (opened.length === 0) throw new ProblemError('not_found', 'The application was archived.');
}

/** @param ifLocked what happens to those of applications that another transaction has locked */
export function insertionOf(
  batch: readonly OpeningAggregateSession[],
  ifLocked: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`
    WITH "new" AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(batch.map(recordOf))}::json) AS n(
        "id" uuid, "organizationId" uuid, "applicationId" uuid, "userId" uuid, "tokenId" uuid,
        "hash" text, "hello" text, "createdAt" timestamptz)
    ), "allowed" AS (
      SELECT n.* FROM "new" n
      JOIN "Application" p ON p."id" = n."applicationId" AND p."organizationId" = n."organizationId"
      WHERE p."archivedAt" IS NULL FOR KEY SHARE OF p ${ifLocked}
    )
    INSERT INTO "AggregateSession" ("id", "organizationId", "applicationId", "userId", "tokenId",
      "hash", "hello", "createdAt", "lastUsedAt")
    SELECT "id", "organizationId", "applicationId", "userId", "tokenId", decode("hash", 'hex'),
      "hello", "createdAt", now()
    FROM "allowed" RETURNING "id"`;
}

function recordOf({ id, createdAt, hash, place, caller, hello }: OpeningAggregateSession) {
  const { organizationId, applicationId } = place;
  const { subjectId: userId, bearerId: tokenId } = caller;
  const said = { hash: hash.toString('hex'), hello: JSON.stringify(hello) };
  return { id, createdAt, organizationId, applicationId, userId, tokenId, ...said };
}

/** Changes a session that has not ended, if that condition holds. @returns false if it was not changed */
export function updateAggregateSession(
  store: Pick<Store, 'transaction'>,
  { id }: Pick<AggregateSession, 'id'>,
  assignment: Prisma.Sql,
  condition: Prisma.Sql,
): Promise<boolean> {
  return store.transaction(async ({ db, announce }) => {
    const updated = await db.$executeRaw`
      UPDATE "AggregateSession" SET ${assignment}
      WHERE "id" = ${id}::uuid AND "endedAt" IS NULL AND ${condition}`;
    if (updated > 0) announce({ kind: 'session', id });
    return updated > 0;
  });
}

/** Ends sessions, closes those behind them, deletes answers on their way, and announces each session. Ended ones stay as they are. */
export async function endAggregateSessions(
  { db, announce }: Tx,
  ids: readonly string[],
): Promise<void> {
  const ended = await db.$queryRaw<{ id: string }[]>`
    WITH "locked" AS (
      SELECT "id" FROM "AggregateSession"
      WHERE "id" = ANY(${[...ids]}::uuid[]) AND "endedAt" IS NULL ORDER BY "id" FOR NO KEY UPDATE
    )
    UPDATE "AggregateSession" a SET "endedAt" = now()
    FROM "locked" l WHERE a."id" = l."id" RETURNING a."id"`;
  if (ended.length === 0) return;
  const endedIds = ended.map(({ id }) => id);
  const closed = await db.$queryRaw<{ id: string }[]>`
    WITH "answers" AS (
      DELETE FROM "ForwardedAnswer" WHERE "aggregateSessionId" = ANY(${endedIds}::uuid[])
    ), "locked" AS (
      SELECT "id" FROM "Session"
      WHERE "aggregateSessionId" = ANY(${endedIds}::uuid[])
        AND "aggregateSessionId" IS NOT NULL AND "state" = 'open'
      ORDER BY "id" FOR NO KEY UPDATE
    )
    UPDATE "Session" s SET ${endAssignments('closed')}, "endedAt" = now()
    FROM "locked" l WHERE s."id" = l."id" RETURNING s."id"`;
  announce(...[...ended, ...closed].map(({ id }) => ({ kind: 'session', id }) as const));
}

/** Ends the sessions of a user beyond the limit that were unused for longest. */
export function endExcess(store: Store, userId: string): Promise<void> {
  return store.transaction(async (tx) => {
    const excess = await tx.db.aggregateSession.findMany({
      where: { userId, endedAt: null },
      orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
      select: { id: true },
      skip: MAX_OPEN,
      take: CLOSED_AT_ONCE,
    });
    await endAggregateSessions(
      tx,
      excess.map(({ id }) => id),
    );
  });
}
