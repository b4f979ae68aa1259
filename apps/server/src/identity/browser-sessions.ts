import type { EventRequest } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Role } from '../generated/prisma/enums.ts';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { hashSecret, newSecret } from '../platform/secrets.ts';
import { type PersonActor, signingIn } from './actor.ts';
import { createCookie } from './cookies.ts';

/** Seconds of silence after which a session is over. */
export const SILENCE = 7 * 24 * 60 * 60;

/** Seconds after which a session is over in any case. */
export const LONGEST = 30 * 24 * 60 * 60;

/** A session `s` that is not over. */
export const LIVE_BROWSER_SESSION = Prisma.sql`
  s."lastSeenAt" > now() - ${SILENCE}::float8 * interval '1 second'
  AND s."createdAt" > now() - ${LONGEST}::float8 * interval '1 second'`;

/** Milliseconds between two writes of when a browser was last seen. */
const SEEN_EVERY = 60_000;

/** Who is signed in with a browser. */
export interface SignedInPerson {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

type BrowserSession = Pick<SignedInPerson, 'sessionId' | 'organizationId' | 'userId'>;

/** The actor on a page that this person has open. */
export function actorInBrowser(
  { sessionId, organizationId, userId }: BrowserSession,
  request: EventRequest,
): PersonActor {
  const via = { kind: 'browser_session', id: sessionId } as const;
  return { kind: 'person', organizationId, userId, via, request };
}

/** How a person has signed in. */
export interface Entry {
  readonly userId: string;
  readonly way: 'password' | 'link' | 'provider';
  /** The hash that the person's password was compared with: if they have another one by now, no session begins. */
  readonly passwordHash?: string | undefined;
  readonly request?: EventRequest | undefined;
}

/** The sign-ins of people with their browsers. A header is the request's `Cookie`. */
export interface BrowserSessions {
  /**
   * One indexed read. A session ends after 7 days of silence, and after 30 days.
   *
   * @param isActive default true: the person does something, so the silence is over
   */
  find(
    cookieHeader: string | undefined,
    options?: { readonly isActive: boolean },
  ): Promise<SignedInPerson | undefined>;
  /**
   * Begins a session, and ends the one that the header names: a value that the browser brought is never
   * used again.
   *
   * @returns the Set-Cookie value
   * @throws ProblemError `unauthenticated` when the member is gone, or has another password
   */
  begin(entry: Entry, cookieHeader: string | undefined): Promise<string>;
  /** {@link BrowserSessions.begin} in a transaction that has found out who the person is. */
  beginIn(tx: Tx, entry: Entry, cookieHeader: string | undefined): Promise<string>;
  /** Signs out here. @returns the Set-Cookie value that removes the cookie */
  end(cookieHeader: string | undefined, request: EventRequest): Promise<string>;
  /** Signs out everywhere. */
  endAll(actor: PersonActor): Promise<void>;
}

/** @param publicUrl decides the cookie's name and whether it needs https */
export function createBrowserSessions(store: Store, publicUrl: string): BrowserSessions {
  const { db } = store;
  const cookie = createCookie('gatehouse', publicUrl);
  const hashIn = (header: string | undefined) => {
    const value = cookie.read(header);
    return value === undefined ? undefined : hashSecret(value);
  };
  const begin = async (
    tx: Tx,
    { userId, way, passwordHash, request }: Entry,
    header: string | undefined,
  ): Promise<string> => {
    const value = newSecret();
    const previous = hashIn(header);
    if (previous !== undefined) await deleteBrowserSession(tx, previous);
    const session = { userId, passwordHash, hash: hashSecret(value) };
    const organizationId = await insertBrowserSession(tx.db, session);
    const actor = signingIn(organizationId, userId, request);
    tx.record({ action: 'member.signed_in', actor, targetId: userId, way });
    return cookie.set(value, LONGEST);
  };
  return {
    async find(header, { isActive } = { isActive: true }) {
      const hashed = hashIn(header);
      const found = hashed && (await findBrowserSession(db, hashed));
      if (!found) return undefined;
      const { silentFor, ...person } = found;
      if (isActive && silentFor >= SEEN_EVERY)
        await touchBrowserSession(db, person.sessionId, SEEN_EVERY);
      return person;
    },
    begin: (entry, header) => store.transaction((tx) => begin(tx, entry, header)),
    beginIn: begin,
    async end(header, request) {
      const hashed = hashIn(header);
      if (hashed !== undefined) await store.transaction((tx) => signOut(tx, hashed, request));
      return cookie.clear();
    },
    endAll: (actor) =>
      store.transaction(async (tx) => {
        const { userId } = actor;
        await deleteBrowserSessionsOf(tx, userId);
        tx.record({ action: 'member.signed_out', actor, targetId: userId, everywhere: true });
      }),
  };
}

/** Who is signed in, and for how many milliseconds the browser has not been seen. */
type Found = SignedInPerson & { readonly silentFor: number };

async function findBrowserSession(db: Db, hash: Buffer): Promise<Found | undefined> {
  const [found] = await db.$queryRaw<Found[]>`
    SELECT s."id" AS "sessionId", s."organizationId", s."userId", u."email", u."name",
      u."role"::text AS "role",
      extract(epoch FROM now() - s."lastSeenAt")::float8 * 1000 AS "silentFor"
    FROM "BrowserSession" s JOIN "User" u ON u."id" = s."userId"
    WHERE s."hash" = ${hash} AND ${LIVE_BROWSER_SESSION}`;
  return found;
}

/** @param every milliseconds: another request may have written it meanwhile */
async function touchBrowserSession(db: Db, id: string, every: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "BrowserSession" SET "lastSeenAt" = now()
    WHERE "id" = ${id}::uuid
      AND "lastSeenAt" <= now() - ${every}::float8 * interval '1 millisecond'`;
}

interface NewBrowserSession {
  readonly userId: string;
  readonly hash: Buffer;
  /** The member must still have this one. */
  readonly passwordHash: string | undefined;
}

/**
 * The lock on the member waits for a change of the password that is under way, which ends the sessions
 * that it can see.
 *
 * @returns the id of the member's organization
 * @throws ProblemError `unauthenticated`
 */
async function insertBrowserSession(db: Db, session: NewBrowserSession): Promise<string> {
  const { userId, hash, passwordHash = null } = session;
  const { id } = createId();
  const [inserted] = await db.$queryRaw<{ readonly organizationId: string }[]>`
    WITH member AS (
      SELECT "id", "organizationId" FROM "User"
      WHERE "id" = ${userId}::uuid
        AND (${passwordHash}::text IS NULL OR "passwordHash" = ${passwordHash}::text)
      FOR SHARE)
    INSERT INTO "BrowserSession" ("id", "organizationId", "userId", "hash", "createdAt", "lastSeenAt")
    SELECT ${id}::uuid, "organizationId", "id", ${hash}, now(), now() FROM member
    RETURNING "organizationId"`;
  if (inserted !== undefined) return inserted.organizationId;
  throw new ProblemError('unauthenticated', 'That sign-in is no longer valid. Sign in again.');
}

async function deleteBrowserSession(
  { db, announce }: Pick<Tx, 'db' | 'announce'>,
  hash: Buffer,
): Promise<BrowserSession | undefined> {
  const [ended] = await db.$queryRaw<BrowserSession[]>`
    DELETE FROM "BrowserSession" WHERE "hash" = ${hash}
    RETURNING "id" AS "sessionId", "organizationId", "userId"`;
  if (ended !== undefined) announce({ kind: 'token', id: ended.sessionId });
  return ended;
}

async function signOut(tx: Tx, hash: Buffer, request: EventRequest): Promise<void> {
  const ended = await deleteBrowserSession(tx, hash);
  if (ended === undefined) return;
  const actor = actorInBrowser(ended, request);
  tx.record({ action: 'member.signed_out', actor, targetId: ended.userId, everywhere: false });
}

/** Ends the console's tokens of this person too. */
export async function deleteBrowserSessionsOf(
  { db, announce }: Pick<Tx, 'db' | 'announce'>,
  userId: string,
): Promise<void> {
  const { count } = await db.browserSession.deleteMany({ where: { userId } });
  if (count > 0) announce({ kind: 'member', id: userId });
}
