import type { ClientHello } from '../mcp/client-hello.ts';
import { type Cache, createCache, type Loaded } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { hashSecret, isSecret, newSecret } from '../platform/secrets.ts';
import {
  type AggregatePlace,
  type AggregateSession,
  type HeldAggregateSession,
  subscriptionOf,
} from './aggregate-session.ts';
import { endExcess } from './aggregate-session-limit.ts';
import {
  addSubscription,
  endAggregateSessions,
  findAggregateSession,
  isAggregateSessionOpen,
  removeSubscription,
  writeLogLevel,
} from './aggregate-session-repository.ts';
import { AggregateSessionUses } from './aggregate-session-uses.ts';
import { AggregateSessionWriter } from './aggregate-session-writer.ts';
import { toLoaded } from './loaded-aggregate-session.ts';
import type { SessionCaller } from './open-session.ts';
import { SessionLimit } from './session-limit.ts';
import { TokenSessions } from './token-sessions.ts';
import { sessionNotFound } from './upstream-session-id.ts';

/** The most open ones in memory. */
const MAX_SESSIONS = 50_000;

export interface AggregateSessionsOptions {
  readonly store: Store;
  /** Milliseconds of silence after which a session expires. */
  readonly ttl: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Sessions of legacy clients at the aggregate endpoint, each of one person and application. Beginning and end are written
 * before the response is sent; uses are written behind, at most every 15 s per session.
 */
export class AggregateSessions {
  readonly #store: Store;
  readonly #ttl: number;
  readonly #writer: AggregateSessionWriter;
  readonly #uses: AggregateSessionUses;
  readonly #limit: SessionLimit;
  readonly #ofTokens: TokenSessions;
  /** By the client's session id. */
  readonly #cache: Cache<HeldAggregateSession>;

  constructor({ store, ttl, onError }: AggregateSessionsOptions) {
    this.#store = store;
    this.#ttl = ttl;
    this.#writer = new AggregateSessionWriter(store);
    this.#uses = new AggregateSessionUses({ db: store.db, ttl, onError });
    this.#limit = new SessionLimit((userId) => endExcess(store, userId), onError);
    this.#ofTokens = new TokenSessions({ store, ttl, uses: this.#uses, limit: this.#limit });
    this.#cache = createCache({ changes: store.changes, maxEntries: MAX_SESSIONS });
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
    const clientSessionId = newSecret();
    // The row is written inside the load, so that an end right after it is not missed.
    const { session } = await this.#cache.get(clientSessionId, async () => {
      const { id, createdAt } = createId();
      const hash = hashSecret(clientSessionId);
      await this.#writer.open({ id, createdAt, hash, place, caller, hello });
      const { organizationId, applicationId } = place;
      const { subjectId } = caller;
      const opened = {
        id,
        organizationId,
        applicationId,
        subjectId,
        hello,
        logLevel: undefined,
        subscriptions: [],
      };
      return toLoaded(opened, 0);
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
    const held = this.#cache.peek(clientSessionId);
    return held === undefined
      ? this.#read(place, caller, clientSessionId)
      : this.#requireOpen(held, place, caller);
  }

  /**
   * The session that those clients of a token share in an application that begin no session. It begins when it is first
   * needed, and again once it has ended. Synchronous when it is in memory.
   *
   * @throws ProblemError `not_found` when the application is gone or archived
   */
  ofToken(
    place: AggregatePlace,
    caller: SessionCaller,
    hello: ClientHello,
  ): AggregateSession | Promise<AggregateSession> {
    return this.#ofTokens.findOrOpen(place, caller, hello);
  }

  /** Every node reads it again. @throws ProblemError `session_not_found` once it has ended. */
  async setLogLevel({ id }: AggregateSession, level: string): Promise<void> {
    const isWritten = await this.#store.transaction((tx) => writeLogLevel(tx, id, level));
    if (!isWritten) throw sessionNotFound();
  }

  /** Every node's streams of the session follow. @returns false when it has ended, or cannot hold that one */
  async subscribe({ id }: AggregateSession, attachmentId: string, uri: string): Promise<boolean> {
    if (!isStorable(uri)) return false;
    const subscription = subscriptionOf(attachmentId, uri);
    return this.#store.transaction((tx) => addSubscription(tx, id, subscription));
  }

  async unsubscribe({ id }: AggregateSession, attachmentId: string, uri: string): Promise<void> {
    if (!isStorable(uri)) return;
    const subscription = subscriptionOf(attachmentId, uri);
    return this.#store.transaction((tx) => removeSubscription(tx, id, subscription));
  }

  /** Ends it and closes the sessions behind it. One that has ended is left as it is. */
  end({ id }: AggregateSession): Promise<void> {
    return this.#store.transaction((tx) => endAggregateSessions(tx, [id]));
  }

  /** Writes the uses that wait; a timer does it every second. */
  flush(): Promise<void> {
    return this.#uses.flush();
  }

  /** Writes what is left. @throws when the database does. */
  close(): Promise<void> {
    this.#cache.close();
    this.#ofTokens.close();
    return this.#uses.close();
  }

  async #read(
    place: AggregatePlace,
    caller: SessionCaller,
    clientSessionId: string,
  ): Promise<AggregateSession> {
    if (!isSecret(clientSessionId)) throw sessionNotFound();
    const held = await this.#cache.get(clientSessionId, () => this.#load(clientSessionId));
    return this.#requireOpen(held, place, caller);
  }

  async #load(clientSessionId: string): Promise<Loaded<HeldAggregateSession>> {
    const hash = hashSecret(clientSessionId);
    const found = await findAggregateSession(this.#store.db, hash);
    if (found === undefined) throw sessionNotFound();
    return toLoaded(found.session, found.silentFor);
  }

  #requireOpen(
    held: HeldAggregateSession,
    place: AggregatePlace,
    caller: SessionCaller,
  ): AggregateSession | Promise<AggregateSession> {
    const { session, usedAt } = held;
    const isOwn =
      session.applicationId === place.applicationId && session.subjectId === caller.subjectId;
    if (!isOwn) throw sessionNotFound();
    if (performance.now() - usedAt > this.#ttl) return this.#refresh(held);
    this.#uses.note(held);
    return session;
  }

  /** Other nodes may have written that they used it. */
  async #refresh(held: HeldAggregateSession): Promise<AggregateSession> {
    const isOpen = await isAggregateSessionOpen(this.#store.db, held.session.id, this.#ttl);
    if (!isOpen) throw sessionNotFound();
    this.#uses.note(held);
    return held.session;
  }
}

/** PostgreSQL's text holds no U+0000, and only whole characters. */
function isStorable(uri: string): boolean {
  return !uri.includes('\0') && Buffer.from(uri).toString() === uri;
}
