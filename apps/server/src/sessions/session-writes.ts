import { Prisma } from '../generated/prisma/client.ts';
import { CHANNEL } from '../platform/changes/message.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { activeBlock, findBlock, tokenBlocked } from './blocked-tokens.ts';
import type { SessionCaller, SessionRoute } from './open-session.ts';
import type { NewSession, SessionRow } from './repository.ts';
import { endAssignments } from './sql.ts';

/** A session to be opened: where, for whom, and what is stored. */
interface OpeningSession {
  readonly route: SessionRoute;
  readonly caller: SessionCaller;
  readonly session: NewSession;
}

/** The row of a session that has just been opened. */
function openedRow({ route, caller, session }: OpeningSession): SessionRow {
  const { organizationId, applicationId, integrationId, attachmentId } = route;
  const { subjectId, bearerId } = caller;
  const { id, era, sealed, keyId, isUnused = false } = session;
  const place = { organizationId, applicationId, integrationId, attachmentId };
  return { id, ...place, subjectId, bearerId, era, sealed, keyId, isUnused, silentFor: 0 };
}

/** Sessions in one statement at most. */
const BATCH = 200;

type Write =
  | { readonly kind: 'open'; readonly opening: OpeningSession }
  | { readonly kind: 'close'; readonly id: string };

/** Writes the beginning and end of legacy sessions; simultaneous ones share a statement. */
export class SessionWriter {
  readonly #store: Store;
  readonly #writes: GroupCommit<Write>;

  constructor(store: Store) {
    this.#store = store;
    this.#writes = new GroupCommit({ batchSize: BATCH, write: (batch) => this.#write(batch) });
  }

  /** @throws ProblemError like `createSession`. */
  async open(opening: OpeningSession): Promise<SessionRow> {
    const write = { kind: 'open', opening } as const;
    // Another node's batch locks the application for a moment.
    if ((await this.#writes.add(write)) || (await this.#writes.add(write))) {
      return openedRow(opening);
    }
    // Refused, or one of its rows stays locked: only a separate transaction waits for that.
    return this.#store.transaction(({ db }) => createSession(db, opening));
  }

  /** Closes an open session; one that has ended is left as it is. */
  async close(id: string): Promise<void> {
    if (await this.#writes.add({ kind: 'close', id })) return;
    await this.#store.transaction(async ({ db, announce }) => {
      if (await closeSession(db, id)) announce({ kind: 'session', id });
    });
  }

  async #write(batch: readonly Write[]): Promise<ReadonlySet<Write>> {
    const opening = batch.flatMap((write) => (write.kind === 'open' ? [write.opening] : []));
    const closing = batch.flatMap((write) => (write.kind === 'close' ? [write.id] : []));
    const written = await writeTogether(this.#store, opening, closing);
    return new Set(batch.filter((write) => written.has(idOf(write))));
  }
}

function idOf(write: Write): string {
  return write.kind === 'open' ? write.opening.session.id : write.id;
}

/**
 * Writes a new session and counts it, in one statement.
 *
 * @throws ProblemError `forbidden` while the token is blocked on the attachment; `not_found` when the
 *   attachment, its application, its integration or the user is gone.
 */
export async function createSession(db: Db, opening: OpeningSession): Promise<SessionRow> {
  const opened = await db.$queryRaw<unknown[]>`
    WITH ${openingSteps([opening], Prisma.empty)} SELECT "id" FROM "opened"`;
  if (opened.length === 1) return openedRow(opening);
  const { route, caller } = opening;
  const blockedFor = await findBlock(db, route.attachmentId, caller.bearerId);
  if (blockedFor !== undefined) throw tokenBlocked(blockedFor);
  throw new ProblemError(
    'not_found',
    'The application or the integration was archived or detached.',
  );
}

/** Closes an open session; false when it had already ended. */
export async function closeSession(db: Db, id: string): Promise<boolean> {
  const closed = await db.$executeRaw`
    UPDATE "Session" SET ${endAssignments('closed')}, "endedAt" = now()
    WHERE "id" = ${id}::uuid AND "state" = 'open'`;
  return closed === 1;
}

/**
 * Opens and closes sessions in one statement, and announces those that it closes. It skips rows that
 * another transaction has locked, so that a lock never delays other sessions.
 *
 * @param closing ids
 * @returns the ids of those it wrote. The others are locked, or must not be opened, or have ended.
 */
async function writeTogether(
  store: Store,
  opening: readonly OpeningSession[],
  closing: readonly string[],
): Promise<ReadonlySet<string>> {
  const changes = closing.map((id) => ({ kind: 'session', id }) as const);
  const rows = await store.statement(changes, (notifications) => ({
    name: 'write-sessions-together',
    sql: Prisma.sql`
      WITH ${openingSteps(opening, Prisma.sql`SKIP LOCKED`)}, "closing" AS (
        SELECT "id" FROM "Session"
        WHERE "id" IN (SELECT ${elementsOf(closing)}::uuid) AND "state" = 'open'
        FOR NO KEY UPDATE SKIP LOCKED
      ), "closed" AS (
        UPDATE "Session" s SET ${endAssignments('closed')}, "endedAt" = now()
        FROM "closing" c WHERE s."id" = c."id" RETURNING s."id"
      )
      SELECT "id" FROM "opened" UNION ALL SELECT "id" FROM "closed"
      UNION ALL SELECT NULL WHERE (
        SELECT count(pg_notify(${CHANNEL}, "payload"))
        FROM (SELECT ${elementsOf(notifications)} AS "payload") n) < 0`,
  }));
  return new Set((rows as { readonly id: string }[]).map(({ id }) => id));
}

/** True for calls of the console's playground. Looked up only until a client has called. */
const isOfConsole = Prisma.sql`EXISTS (
  SELECT 1 FROM "Grant" g WHERE g."id" = n."tokenId" AND g."browserSessionId" IS NOT NULL)`;

/**
 * The steps of a statement, up to `"opened"`, the sessions that it wrote. The rows that a session depends
 * on are locked, so that a detach, an archive or a removal at the same moment does not miss it when it
 * revokes sessions.
 *
 * @param ifLocked what happens to rows that another transaction has locked.
 */
function openingSteps(opening: readonly OpeningSession[], ifLocked: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    "new" AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(opening.map(toRecord))}::json) AS n(
        "id" uuid, "organizationId" uuid, "integrationId" uuid, "attachmentId" uuid, "userId" uuid,
        "tokenId" uuid, "era" text, "hash" text, "sealed" text, "keyId" text, "createdAt" timestamptz,
        "aggregateSessionId" uuid, "isUnused" boolean)
    ), "members" AS (
      SELECT u."id", u."organizationId" FROM "User" u
      WHERE u."id" IN (SELECT "userId" FROM "new") FOR KEY SHARE ${ifLocked}
    ), "allowed" AS (
      SELECT n.*, p."id" AS "applicationId",
        CASE WHEN p."firstCallAt" IS NULL THEN CASE WHEN ${isOfConsole} THEN NULL ELSE n."createdAt" END END AS "calledAt"
      FROM "new" n
      JOIN "Attachment" a ON a."id" = n."attachmentId" AND a."organizationId" = n."organizationId"
      JOIN "Application" p ON p."id" = a."applicationId"
      JOIN "Integration" i ON i."id" = a."integrationId"
      WHERE p."archivedAt" IS NULL AND i."archivedAt" IS NULL
        AND (n."userId" = p."id" OR EXISTS (
          SELECT 1 FROM "members" u
          WHERE u."id" = n."userId" AND u."organizationId" = n."organizationId"))
        AND NOT EXISTS (${activeBlock(Prisma.sql`n."attachmentId"`, Prisma.sql`n."tokenId"`)})
      FOR NO KEY UPDATE OF p ${ifLocked} FOR SHARE OF i ${ifLocked} FOR KEY SHARE OF a ${ifLocked}
    ), "counted" AS (
      UPDATE "Application" p SET "totalSessionCount" = p."totalSessionCount" + c."sessions",
        "firstCallAt" = coalesce(p."firstCallAt", c."calledAt")
      FROM (
        SELECT "applicationId", count(*)::int AS "sessions", min("calledAt") AS "calledAt"
        FROM "allowed" GROUP BY "applicationId"
      ) c WHERE p."id" = c."applicationId"
    ), "opened" AS (
      INSERT INTO "Session" ("id", "organizationId", "applicationId", "integrationId", "attachmentId",
        "userId", "tokenId", "era", "hash", "sealed", "keyId", "createdAt", "lastActivityAt",
        "aggregateSessionId", "isUnused")
      SELECT "id", "organizationId", "applicationId", "integrationId", "attachmentId", "userId",
        "tokenId", "era"::"SessionEra", decode("hash", 'hex'), decode("sealed", 'hex'), "keyId",
        "createdAt", now(), "aggregateSessionId", "isUnused"
      FROM "allowed" RETURNING "id"
    )`;
}

function toRecord({ route, caller, session }: OpeningSession) {
  const { organizationId, integrationId, attachmentId } = route;
  const { subjectId: userId, bearerId: tokenId } = caller;
  const { id, createdAt, era, keyId, aggregateSessionId, isUnused = false } = session;
  const hash = session.hash?.toString('hex');
  const sealed = session.sealed?.toString('hex');
  const place = { organizationId, integrationId, attachmentId };
  const stored = { id, era, hash, sealed, keyId, createdAt, aggregateSessionId, isUnused };
  return { ...place, userId, tokenId, ...stored };
}

/** A list as one value of a statement: each element a row. */
function elementsOf(list: readonly string[]): Prisma.Sql {
  return Prisma.sql`json_array_elements_text(${JSON.stringify(list)}::json)`;
}
