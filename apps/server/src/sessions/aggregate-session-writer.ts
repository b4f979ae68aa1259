import { Prisma } from '../generated/prisma/client.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { hashSecret, newSecret } from '../platform/secrets.ts';
import type {
  AggregateSession,
  FoundAggregateSession,
  OpeningAggregateSession,
} from './aggregate-session.ts';
import { endAggregateSessions, findAggregateSession } from './aggregate-session-repository.ts';
import { lockApplication } from './repository.ts';

/** Sessions in one statement at most. */
const BATCH = 200;

/** Bytes of what a client has said, as JSON. */
const MAX_HELLO = 4096;

/** Writes the beginning of aggregate sessions; simultaneous ones share a statement. */
export class AggregateSessionWriter {
  readonly #store: Store;
  readonly #openings: GroupCommit<OpeningAggregateSession>;

  constructor(store: Store) {
    this.#store = store;
    this.#openings = new GroupCommit({ batchSize: BATCH, write: (batch) => this.#write(batch) });
  }

  /** @throws ProblemError `not_found` when the application is gone or archived */
  async open(opening: OpeningAggregateSession): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(opening.hello)) > MAX_HELLO) {
      throw new RangeError('What the client has said is too long.');
    }
    if (await this.#openings.add(opening)) return;
    // Refused, or its application is locked: only a separate statement waits for that.
    await insert(this.#store.db, opening);
  }

  async #write(
    batch: readonly OpeningAggregateSession[],
  ): Promise<ReadonlySet<OpeningAggregateSession>> {
    const rows = await this.#store.statement([], () => ({
      name: 'open-aggregate-sessions',
      sql: insertionOf(batch, Prisma.sql`SKIP LOCKED`),
    }));
    const written = new Set((rows as { readonly id: string }[]).map(({ id }) => id));
    return new Set(batch.filter(({ id }) => written.has(id)));
  }
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
    await insert(db, opening);
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
async function insert(db: Db, opening: OpeningAggregateSession): Promise<void> {
  const opened = await db.$queryRaw<unknown[]>(insertionOf([opening], Prisma.empty));
  if (opened.length === 0) throw new ProblemError('not_found', 'The application was archived.');
}

/** @param ifLocked what happens to those of applications that another transaction has locked */
function insertionOf(batch: readonly OpeningAggregateSession[], ifLocked: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH "new" AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(batch.map(toRecord))}::json) AS n(
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

function toRecord({ id, createdAt, hash, place, caller, hello }: OpeningAggregateSession) {
  const { organizationId, applicationId } = place;
  const { subjectId: userId, bearerId: tokenId } = caller;
  const said = { hash: hash.toString('hex'), hello: JSON.stringify(hello) };
  return { id, createdAt, organizationId, applicationId, userId, tokenId, ...said };
}
