import type { Db, Store, Tx } from '../platform/database/store.ts';
import type { AggregateSession, FoundAggregateSession } from './aggregate-session.ts';
import { CLOSED_AT_ONCE, MAX_OPEN } from './session-limit.ts';
import { endAssignments, interval } from './sql.ts';

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

/** @returns false when it has ended */
export async function writeLogLevel({ db, announce }: Tx, id: string, level: string) {
  const { count } = await db.aggregateSession.updateMany({
    where: { id, endedAt: null },
    data: { logLevel: level },
  });
  if (count > 0) announce({ kind: 'session', id });
  return count > 0;
}

/** Bytes of all subscriptions of a session. */
const MAX_SUBSCRIBED = 16 * 1024;

/** @returns false when it has ended, or has no room for more */
export async function addSubscription(
  { db, announce }: Tx,
  id: string,
  subscription: string,
): Promise<boolean> {
  const added = await db.$executeRaw`
    UPDATE "AggregateSession" SET "subscriptions" = array_append("subscriptions", ${subscription}::text)
    WHERE "id" = ${id}::uuid AND "endedAt" IS NULL AND NOT (${subscription}::text = ANY("subscriptions"))
      AND octet_length(array_to_string("subscriptions", '')) + octet_length(${subscription}::text) <= ${MAX_SUBSCRIBED}`;
  if (added > 0) {
    announce({ kind: 'session', id });
    return true;
  }
  const there = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "AggregateSession" WHERE "id" = ${id}::uuid AND "endedAt" IS NULL
      AND ${subscription}::text = ANY("subscriptions")`;
  return there.length > 0;
}

/** A subscription that does not exist is no error. */
export async function removeSubscription(
  { db, announce }: Tx,
  id: string,
  subscription: string,
): Promise<void> {
  const removed = await db.$executeRaw`
    UPDATE "AggregateSession" SET "subscriptions" = array_remove("subscriptions", ${subscription}::text)
    WHERE "id" = ${id}::uuid AND ${subscription}::text = ANY("subscriptions")`;
  if (removed > 0) announce({ kind: 'session', id });
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
