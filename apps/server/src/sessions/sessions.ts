import { randomUUID } from 'node:crypto';
import type { EventActor } from '@gatehouse/contract';
import type { ClientHello } from '../mcp/client-hello.ts';
import type { Db, Store, Tx } from '../platform/database/store.ts';
import type { Vault } from '../vault/vault.ts';
import { Activity } from './activity.ts';
import { AdoptedSessions } from './adopted-sessions.ts';
import {
  type AggregateSession,
  attachmentSubscribedTo,
  subscribedUris,
} from './aggregate-session.ts';
import { AggregateSessions } from './aggregate-sessions.ts';
import { AggregatedSessionRevoked, AggregatedSessions } from './aggregated-sessions.ts';
import type { BegunSession } from './begun-sessions.ts';
import { BlockedTokens } from './blocked-tokens.ts';
import { countOpenSessions, type EndedBatch, endSessions } from './end-sessions.ts';
import {
  type FindSessionsRequest,
  type FoundSession,
  type FoundSessions,
  findSessions,
  findSessionsById,
  type SessionsFilter,
} from './find-sessions.ts';
import { ForwardedAnswers, type Question } from './forwarded-answers.ts';
import { LegacySessions } from './legacy-sessions.ts';
import {
  countSessions,
  listSessions,
  type SessionCounts,
  type SessionPageRequest,
} from './listing.ts';
import { ModernSessions } from './modern-sessions.ts';
import type { OpenSession, SessionCaller, SessionRoute } from './open-session.ts';
import { findStates, type SessionEnd, type SessionRow } from './repository.ts';
import {
  type RevokedSessions,
  revokeAndCount,
  revokeSession,
  type SessionsOf,
} from './revocation.ts';
import { SessionCache } from './session-cache.ts';
import { closeExcess, SessionLimit } from './session-limit.ts';
import { SessionWriter } from './session-writer.ts';
import type { ListedSession } from './shown-session.ts';
import { endUnused } from './unused-sessions.ts';
import { openUpstreamId } from './upstream-session-id.ts';
import type { SessionWindows } from './windows.ts';

export type {
  AggregateSession,
  BegunSession,
  OpenSession,
  Question,
  SessionCaller,
  SessionEnd,
  SessionRoute,
};
export { AggregatedSessionRevoked, attachmentSubscribedTo, subscribedUris };

/** A session that has ended here. Its upstream hears of it next. */
export interface EndedUnused
  extends Pick<SessionRow, 'organizationId' | 'applicationId' | 'integrationId' | 'subjectId'> {
  /** What its client has said. */
  readonly hello: ClientHello;
  /** Undefined where the upstream issues no ids. @throws ProblemError `session_not_found` once the integration has moved */
  upstreamIdFor(route: SessionRoute): string | undefined;
}

export interface SessionsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly windows: SessionWindows;
  /** Called when a background write fails that will be tried again, and when writes are lost. */
  readonly onError: (error: unknown) => void;
}

/** What the gateway does with sessions. */
export type GatewaySessions = Pick<
  Sessions,
  | 'openLegacy'
  | 'requireLegacy'
  | 'hasLegacy'
  | 'adopt'
  | 'findAdopted'
  | 'aggregates'
  | 'answers'
  | 'peekAggregated'
  | 'adoptAggregated'
  | 'isAggregatedBegun'
  | 'peekModern'
  | 'findOrOpenModern'
  | 'checkNotBlocked'
  | 'enter'
  | 'leave'
  | 'touch'
  | 'end'
  | 'endUnused'
  | 'findEnded'
>;

/** What the management API does with them. */
export type ManagedSessions = Pick<
  Sessions,
  'count' | 'list' | 'find' | 'findById' | 'countOpen' | 'revoke' | 'revokeAll' | 'endAll'
>;

/**
 * The sessions of this node. Creation, end and revocation are written before the response is sent;
 * activity is written behind, at most every 15 s per session.
 */
export class Sessions {
  /** Sessions at the aggregate endpoint; those behind them are sessions like others. */
  readonly aggregates: AggregateSessions;
  /** To questions of other nodes in aggregate sessions. */
  readonly answers: ForwardedAnswers;
  readonly #store: Store;
  readonly #vault: Vault;
  readonly #windows: SessionWindows;
  readonly #activity: Activity;
  readonly #writer: SessionWriter;
  readonly #caches: readonly { close(): void }[];
  readonly #legacy: LegacySessions;
  readonly #adopted: AdoptedSessions;
  readonly #aggregated: AggregatedSessions;
  readonly #modern: ModernSessions;
  readonly #blockedTokens: BlockedTokens;

  constructor({ store, vault, windows, onError }: SessionsOptions) {
    const { db, changes } = store;
    const nodeId = randomUUID();
    const activity = new Activity({ db, nodeId, activeWindow: windows.active, onError });
    const legacyCache = new SessionCache({ db, changes, windows, activity });
    const modernCache = new SessionCache({ db, changes, windows, activity });
    const writer = new SessionWriter(store);
    const limit = new SessionLimit((userId) => closeExcess(store, userId), onError);
    const begun = { store, vault, windows, limit, cache: legacyCache };
    this.aggregates = new AggregateSessions({ store, ttl: windows.legacyTtl, onError });
    this.answers = new ForwardedAnswers(store, vault);
    this.#store = store;
    this.#vault = vault;
    this.#windows = windows;
    this.#activity = activity;
    this.#writer = writer;
    this.#legacy = new LegacySessions({ db, writer, vault, windows, limit, cache: legacyCache });
    this.#adopted = new AdoptedSessions(begun);
    this.#aggregated = new AggregatedSessions(begun);
    this.#modern = new ModernSessions({ store, windows, cache: modernCache });
    this.#blockedTokens = new BlockedTokens(db, changes);
    this.#caches = [legacyCache, modernCache, this.#blockedTokens];
  }

  /**
   * Writes the row, then returns the `Mcp-Session-Id` for the client (256 random bits).
   *
   * @throws ProblemError `not_found` when the attachment, its application or its integration is
   *   gone; `forbidden` while the token is blocked there.
   */
  openLegacy(
    route: SessionRoute,
    caller: SessionCaller,
    upstreamSessionId: string,
  ): Promise<{ session: OpenSession; clientSessionId: string }> {
    return this.#legacy.open(route, caller, upstreamSessionId);
  }

  /**
   * The caller's own open session of that id on that attachment. Synchronous when it is in memory.
   *
   * @throws ProblemError `session_not_found`, also for another user's session.
   */
  requireLegacy(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
  ): OpenSession | Promise<OpenSession> {
    return this.#legacy.require(route, caller, clientSessionId);
  }

  /** Whether a legacy session of that id is in memory. */
  hasLegacy(clientSessionId: string): boolean {
    return this.#legacy.has(clientSessionId);
  }

  /** Makes a connect session the legacy session of its id, once: see {@link AdoptedSessions}. */
  adopt(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
    begin: () => Promise<BegunSession>,
  ): Promise<OpenSession> {
    return this.#adopted.adopt(route, caller, clientSessionId, begin);
  }

  /** The legacy session that a connect session has become. @throws ProblemError `session_not_found` once it has ended. */
  findAdopted(route: SessionRoute, connectSessionId: string): Promise<OpenSession | undefined> {
    return this.#adopted.find(route, connectSessionId);
  }

  /** The caller's session of that attachment behind an aggregate session, if it is in memory: see {@link AggregatedSessions}. */
  peekAggregated(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
  ): OpenSession | undefined {
    return this.#aggregated.peek(route, caller, aggregateSessionId);
  }

  /** Whether that session has begun, on any node: see {@link AggregatedSessions}. */
  isAggregatedBegun(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
  ): Promise<boolean> {
    return this.#aggregated.isBegun(route, caller, aggregateSessionId);
  }

  /** That session, or a new one: see {@link AggregatedSessions}. */
  adoptAggregated(
    route: SessionRoute,
    caller: SessionCaller,
    aggregateSessionId: string,
    begin: () => Promise<BegunSession>,
    isUse: boolean,
  ): Promise<OpenSession> {
    return this.#aggregated.adopt(route, caller, aggregateSessionId, begin, isUse);
  }

  /** The open modern session of that token on that attachment, if it is in memory. */
  peekModern(route: SessionRoute, caller: SessionCaller): OpenSession | undefined {
    return this.#modern.peek(route, caller);
  }

  /** That session, or a new one. @throws ProblemError `not_found`, `forbidden` like `openLegacy`. */
  findOrOpenModern(route: SessionRoute, caller: SessionCaller): OpenSession | Promise<OpenSession> {
    return this.#modern.peek(route, caller) ?? this.#modern.findOrOpen(route, caller);
  }

  /**
   * Refuses a call without a protocol session while its token is blocked on that attachment; needed
   * only when `peekModern` returns nothing. Synchronous when memory has it, one indexed read otherwise.
   *
   * @throws ProblemError `forbidden` with Retry-After.
   */
  checkNotBlocked(route: SessionRoute, caller: SessionCaller): undefined | Promise<void> {
    return this.#blockedTokens.check(route, caller);
  }

  /**
   * A request or stream of the session is in flight until `leave`. Entering and leaving are
   * activity; merely staying open is not.
   *
   * @returns this node's shared object of that session, which may not be the given one: pass it to
   *   `touch` and `leave`.
   */
  enter(session: OpenSession): OpenSession {
    return this.#activity.enter(session);
  }

  leave(session: OpenSession): void {
    this.#activity.leave(session);
  }

  /** Bytes arrived on a stream of the session: activity. */
  touch(session: OpenSession): void {
    session.isTouched = true;
  }

  /** Closes the session: its client ended it, or the upstream responded 404 for it. */
  end({ id }: OpenSession): Promise<void> {
    return this.#writer.close(id);
  }

  /** Ends sessions behind aggregate ones that their clients have not used: at most this many. */
  async endUnused(size: number): Promise<readonly EndedUnused[]> {
    // What this node knows of them is newer.
    await this.#activity.flush();
    const rows = await endUnused(this.#store, size);
    return rows.map((row) => ({
      ...row,
      hello: JSON.parse(row.hello),
      upstreamIdFor: (route) => openUpstreamId(this.#vault, row, route),
    }));
  }

  /** Which of these sessions have ended, and how; one query. */
  async findEnded(sessions: readonly OpenSession[]): Promise<ReadonlyMap<OpenSession, SessionEnd>> {
    const ids = new Set(sessions.map(({ id }) => id));
    const states = await findStates(this.#store.db, [...ids]);
    return new Map(
      sessions.flatMap((session) => {
        // Rows are removed long after the end.
        const state = states.get(session.id) ?? 'closed';
        return state === 'open' ? [] : [[session, state]];
      }),
    );
  }

  /** The counters of these applications, in one grouped, indexed query. */
  count(db: Db, applicationIds: readonly string[]): Promise<ReadonlyMap<string, SessionCounts>> {
    const local = this.#activity.localSessions(new Set(applicationIds));
    return countSessions(db, applicationIds, this.#windows, local);
  }

  /** Sessions in any state, newest first. */
  list(db: Db, page: SessionPageRequest): Promise<readonly ListedSession[]> {
    const local = this.#activity.localSessions(new Set([page.applicationId]));
    return listSessions(db, page, this.#windows, local);
  }

  /** Across applications, newest first. */
  find(db: Db, request: FindSessionsRequest): Promise<FoundSessions> {
    const local = this.#activity.localSessionsFor(request.filter);
    return findSessions(db, request, this.#windows, local);
  }

  /** These of an organization, newest first. */
  findById(
    db: Db,
    ids: readonly string[],
    filter: SessionsFilter,
  ): Promise<readonly FoundSession[]> {
    const local = this.#activity.localSessionsFor(filter);
    return findSessionsById(db, ids, this.#windows, local);
  }

  /** What {@link Sessions.endAll} would end. */
  countOpen(db: Db, filter: SessionsFilter): Promise<EndedBatch> {
    const local = this.#activity.localSessionsFor(filter);
    return countOpenSessions(db, filter, { windows: this.#windows, local });
  }

  /** Like `endSessions`. */
  endAll(tx: Tx, filter: SessionsFilter, actor: EventActor): Promise<EndedBatch> {
    const local = this.#activity.localSessionsFor(filter);
    return endSessions(tx, filter, { windows: this.#windows, local, actor });
  }

  /** Like `revokeSession`. */
  revoke(
    tx: Tx,
    session: { readonly id: string; readonly applicationId: string },
    actor: EventActor,
  ): Promise<boolean> {
    return revokeSession(tx, session, { windows: this.#windows, actor });
  }

  /** Revokes all open sessions of an application or a member, counts them, and announces that row. */
  revokeAll(tx: Tx, of: SessionsOf): Promise<RevokedSessions> {
    const local = this.#activity.localSessionsOf(of);
    return revokeAndCount(tx, of, { windows: this.#windows, local });
  }

  /** Sessions with something in flight on this node. */
  countLive(): number {
    return this.#activity.countLive();
  }

  /** Writes activity and presence that are due; a timer does it every second. */
  async flush(): Promise<void> {
    await this.#activity.flush();
    await this.aggregates.flush();
  }

  /** Writes what is left and deletes this node's presence. @throws when the database does. */
  async close(): Promise<void> {
    for (const cache of this.#caches) cache.close();
    const closed = await Promise.allSettled([this.#activity.close(), this.aggregates.close()]);
    for (const result of closed) if (result.status === 'rejected') throw result.reason;
  }
}
