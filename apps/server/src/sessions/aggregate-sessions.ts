import { Prisma } from '../generated/prisma/client.ts';
import type { ClientHello } from '../mcp/client-hello.ts';
import { type Cache, createCache, type Loaded } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { createId } from '../platform/ids.ts';
import { hashSecret, isSecret, newSecret } from '../platform/secrets.ts';
import { WriteBehind } from '../platform/write-behind.ts';
import { writeUses } from './activity-writes.ts';
import {
  type AggregatePlace,
  type AggregateSession,
  endAggregateSessions,
  endExcess,
  type FoundAggregateSession,
  findAggregateSession,
  insertionOf,
  isAggregateSessionOpen,
  type OpeningAggregateSession,
  openAggregateSession,
  openedSession,
  openShared,
  updateAggregateSession,
} from './aggregate-session-repository.ts';
import type { SessionCaller } from './open-session.ts';
import { SessionLimit } from './session-limit.ts';
import { addSubscription, removeSubscription } from './subscriptions.ts';
import { sessionNotFound } from './upstream-session.ts';

/** The most open ones in memory. */
const MAX_SESSIONS = 50_000;

/** Minimum milliseconds between two writes of one session's use, unless sessions expire soon. */
const USE_EVERY = 15_000;

/** Sessions that are opened in one statement at most. */
const BATCH = 200;

/** Bytes of what a client has said, as JSON. */
const MAX_HELLO = 4096;

export interface AggregateSessionsOptions {
  readonly store: Store;
  /** Milliseconds of silence after which a session expires. */
  readonly ttl: number;
  readonly onError: (error: unknown) => void;
}

/** A session in this node's memory. Times are of the monotonic clock, as those of `OpenSession`. */
interface CachedSession {
  readonly session: AggregateSession;
  usedAt: number;
  /** The last use that is written, or waits for it. */
  notedAt: number;
}

/**
 * Sessions at an application's one URL, each of one person and application. A legacy client begins its own; the modern
 * clients of one token share one. Beginning and end are written before the response is sent; uses are written behind, at
 * most every 15 s per session.
 */
export class AggregateSessions {
  readonly #store: Store;
  readonly #ttl: number;
  readonly #openings: GroupCommit<OpeningAggregateSession>;
  readonly #limit: SessionLimit;
  /** By the client's session id, or by {@link sharedKeyOf}. */
  readonly #cache: Cache<CachedSession>;
  readonly #uses: WriteBehind<CachedSession>;

  constructor({ store, ttl, onError }: AggregateSessionsOptions) {
    this.#store = store;
    this.#ttl = ttl;
    this.#openings = new GroupCommit({ batchSize: BATCH, write: (batch) => this.#write(batch) });
    this.#limit = new SessionLimit((userId) => endExcess(store, userId), onError);
    this.#cache = createCache({ changes: store.changes, maxEntries: MAX_SESSIONS });
    this.#uses = new WriteBehind({
      interval: 1_000,
      batchSize: 1_000,
      maxWaiting: MAX_SESSIONS,
      write: (batch) => writeUses(store.db, agesOf(batch)),
      onError,
    });
  }

  /**
   * Writes the row, then returns the `Mcp-Session-Id` for the client (256 random bits).
   *
   * @throws ProblemError `not_found` when the application is gone or archived
   */
  async open(
    place: AggregatePlace,
    caller: SessionCaller,
    hello: ClientHello,
  ): Promise<{ readonly session: AggregateSession; readonly clientSessionId: string }> {
    if (Buffer.byteLength(JSON.stringify(hello)) > MAX_HELLO) {
      throw new RangeError('What the client has said is too long.');
    }
    const store = this.#store;
    const clientSessionId = newSecret();
    // The row is written inside the load, so that an end right after it is not missed.
    const { session } = await this.#cache.get(clientSessionId, async () => {
      const opening = { ...createId(), hash: hashSecret(clientSessionId), place, caller, hello };
      // Refused, or its application is locked: only a separate statement waits for that.
      if (!(await this.#openings.add(opening))) await openAggregateSession(store.db, opening);
      return toLoaded({ session: openedSession(opening), silentFor: 0 });
    });
    this.#limit.noteOpened(caller.subjectId);
    return { session, clientSessionId };
  }

  /**
   * The caller's own open session of that id in that application, which is thereby used. Synchronous when it is in memory.
   *
   * @throws ProblemError `session_not_found`, also for another person's session.
   */
  require(
    place: AggregatePlace,
    caller: SessionCaller,
    clientSessionId: string,
  ): AggregateSession | Promise<AggregateSession> {
    if (!isSecret(clientSessionId)) throw sessionNotFound();
    const cached = this.#cache.peek(clientSessionId);
    return cached === undefined
      ? this.#read(place, caller, clientSessionId)
      : this.#requireOpen(cached, place, caller);
  }

  /**
   * The session that the clients of a token share in an application if they begin no session. It begins when it is first
   * needed, and again once it has ended. Synchronous when it is in memory.
   *
   * @throws ProblemError `not_found` when the application is gone or archived
   */
  ofToken(
    place: AggregatePlace,
    caller: SessionCaller,
    hello: ClientHello,
  ): AggregateSession | Promise<AggregateSession> {
    const cached = this.#cache.peek(sharedKeyOf(place, caller));
    if (cached === undefined || this.#isSilent(cached)) return this.#share(place, caller, hello);
    return this.#use(cached);
  }

  /** Every node reads it again. @throws ProblemError `session_not_found` once it has ended. */
  async setLogLevel(session: AggregateSession, level: string): Promise<void> {
    const assignment = Prisma.sql`"logLevel" = ${level}`;
    const isWritten = await updateAggregateSession(
      this.#store,
      session,
      assignment,
      Prisma.sql`true`,
    );
    if (!isWritten) throw sessionNotFound();
  }

  /** Every node's streams of the session follow. @returns false when it has ended, or cannot hold that one */
  subscribe(session: AggregateSession, attachmentId: string, uri: string): Promise<boolean> {
    return addSubscription(this.#store, session, attachmentId, uri);
  }

  /** A subscription that does not exist is no error. */
  unsubscribe(session: AggregateSession, attachmentId: string, uri: string): Promise<void> {
    return removeSubscription(this.#store, session, attachmentId, uri);
  }

  /** Ends it and closes the sessions behind it. One that has ended is left as it is. */
  end({ id }: AggregateSession): Promise<void> {
    return this.#store.transaction((tx) => endAggregateSessions(tx, [id]));
  }

  /** Writes what is left. @throws when the database does. */
  close(): Promise<void> {
    this.#cache.close();
    return this.#uses.close();
  }

  async #write(batch: readonly OpeningAggregateSession[]) {
    const rows = await this.#store.statement([], () => ({
      name: 'open-aggregate-sessions',
      sql: insertionOf(batch, Prisma.sql`SKIP LOCKED`),
    }));
    const written = new Set((rows as { readonly id: string }[]).map(({ id }) => id));
    return new Set(batch.filter(({ id }) => written.has(id)));
  }

  async #read(
    place: AggregatePlace,
    caller: SessionCaller,
    clientSessionId: string,
  ): Promise<AggregateSession> {
    const cached = await this.#cache.get(clientSessionId, async () => {
      const found = await findAggregateSession(this.#store.db, hashSecret(clientSessionId));
      if (found === undefined) throw sessionNotFound();
      return toLoaded(found);
    });
    return this.#requireOpen(cached, place, caller);
  }

  #requireOpen(
    cached: CachedSession,
    place: AggregatePlace,
    caller: SessionCaller,
  ): AggregateSession | Promise<AggregateSession> {
    const { applicationId, subjectId } = cached.session;
    if (applicationId !== place.applicationId || subjectId !== caller.subjectId) {
      throw sessionNotFound();
    }
    return this.#isSilent(cached) ? this.#refresh(cached) : this.#use(cached);
  }

  async #refresh(cached: CachedSession): Promise<AggregateSession> {
    if (!(await this.#isOpen(cached))) throw sessionNotFound();
    return this.#use(cached);
  }

  async #share(
    place: AggregatePlace,
    caller: SessionCaller,
    hello: ClientHello,
  ): Promise<AggregateSession> {
    const key = sharedKeyOf(place, caller);
    const get = () =>
      this.#cache.get(key, async () => {
        const opening = { ...createId(), hash: hashSecret(key), place, caller, hello };
        const found = await openShared(this.#store, this.#ttl, opening);
        if (found.session.id === opening.id) this.#limit.noteOpened(caller.subjectId);
        return toLoaded(found);
      });
    const cached = await get();
    if (!this.#isSilent(cached) || (await this.#isOpen(cached))) return this.#use(cached);
    const { id } = cached.session;
    await this.#store.transaction(async ({ announce }) => announce({ kind: 'session', id }));
    return this.#use(await get());
  }

  #isSilent({ usedAt }: CachedSession): boolean {
    return performance.now() - usedAt > this.#ttl;
  }

  /** Other nodes may have written that they used a silent session. */
  #isOpen({ session }: CachedSession): Promise<boolean> {
    return isAggregateSessionOpen(this.#store.db, session.id, this.#ttl);
  }

  #use(cached: CachedSession): AggregateSession {
    const now = performance.now();
    cached.usedAt = now;
    if (now - cached.notedAt >= Math.min(USE_EVERY, this.#ttl / 4)) {
      cached.notedAt = now;
      this.#uses.add(cached.session.id, cached);
    }
    return cached.session;
  }
}

function agesOf(used: ReadonlyMap<string, CachedSession>) {
  const now = performance.now();
  return [...used].map(([id, { usedAt }]) => ({ id, age: now - usedAt }));
}

function toLoaded({ session, silentFor }: FoundAggregateSession): Loaded<CachedSession> {
  const usedAt = performance.now() - silentFor;
  return {
    value: { session, usedAt, notedAt: usedAt },
    dependsOn: [
      { kind: 'session', id: session.id },
      { kind: 'application', id: session.applicationId },
      { kind: 'member', id: session.subjectId },
    ],
  };
}

/** The key has not the form of a client's session id. */
function sharedKeyOf({ applicationId }: AggregatePlace, { bearerId }: SessionCaller): string {
  return `${applicationId}\n${bearerId}`;
}
