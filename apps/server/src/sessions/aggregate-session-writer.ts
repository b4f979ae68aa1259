import { Prisma } from '../generated/prisma/client.ts';
import type { Store } from '../platform/database/store.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { OpeningAggregateSession } from './aggregate-session.ts';

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
    const opened = await this.#store.db.$queryRaw<unknown[]>(insertionOf([opening], Prisma.empty));
    if (opened.length === 0) throw new ProblemError('not_found', 'The application was archived.');
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

/** @param ifLocked what happens to those of applications that another transaction has locked */
export function insertionOf(
  batch: readonly OpeningAggregateSession[],
  ifLocked: Prisma.Sql,
): Prisma.Sql {
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
