import type { Db } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { SignedInPerson } from './signed-in-person.ts';

/** Seconds of silence after which a session is over. */
export const SILENCE = 7 * 24 * 60 * 60;

/** Seconds after which a session is over in any case. */
export const LONGEST = 30 * 24 * 60 * 60;

/** Who is signed in, and for how many milliseconds the browser has not been seen. */
type Found = SignedInPerson & { readonly silentFor: number };

export async function findBrowserSession(db: Db, hash: Buffer): Promise<Found | undefined> {
  const [found] = await db.$queryRaw<Found[]>`
    SELECT s."id" AS "sessionId", s."organizationId", s."userId", u."email", u."name",
      u."role"::text AS "role",
      extract(epoch FROM now() - s."lastSeenAt")::float8 * 1000 AS "silentFor"
    FROM "BrowserSession" s JOIN "User" u ON u."id" = s."userId"
    WHERE s."hash" = ${hash}
      AND s."lastSeenAt" > now() - ${SILENCE}::float8 * interval '1 second'
      AND s."createdAt" > now() - ${LONGEST}::float8 * interval '1 second'`;
  return found;
}

/** @param every milliseconds: another request may have written it meanwhile */
export async function touchBrowserSession(db: Db, id: string, every: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "BrowserSession" SET "lastSeenAt" = now()
    WHERE "id" = ${id}::uuid
      AND "lastSeenAt" <= now() - ${every}::float8 * interval '1 millisecond'`;
}

export interface NewBrowserSession {
  readonly userId: string;
  readonly hash: Buffer;
  /** The member must still have this one. */
  readonly passwordHash: string | undefined;
}

/**
 * The lock on the member waits for a change of the password that is under way, which ends the sessions
 * that it can see.
 *
 * @throws ProblemError `unauthenticated`
 */
export async function insertBrowserSession(db: Db, session: NewBrowserSession): Promise<void> {
  const { userId, hash, passwordHash = null } = session;
  const { id } = createId();
  const inserted = await db.$executeRaw`
    WITH member AS (
      SELECT "id", "organizationId" FROM "User"
      WHERE "id" = ${userId}::uuid
        AND (${passwordHash}::text IS NULL OR "passwordHash" = ${passwordHash}::text)
      FOR SHARE)
    INSERT INTO "BrowserSession" ("id", "organizationId", "userId", "hash", "createdAt", "lastSeenAt")
    SELECT ${id}::uuid, "organizationId", "id", ${hash}, now(), now() FROM member`;
  if (inserted === 1) return;
  throw new ProblemError('unauthenticated', 'That sign-in is no longer valid. Sign in again.');
}

export async function deleteBrowserSession(db: Db, hash: Buffer<ArrayBuffer>): Promise<void> {
  await db.browserSession.deleteMany({ where: { hash } });
}

export async function deleteBrowserSessionsOf(db: Db, userId: string): Promise<void> {
  await db.browserSession.deleteMany({ where: { userId } });
}
