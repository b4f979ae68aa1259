import type { Era } from '../mcp/era.ts';
import type { Db, Tx } from '../platform/database/store.ts';

/** The attachment a session belongs to, as the gateway's route snapshot knows it. */
export interface SessionRoute {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly attachmentId: string;
  /** Origin of the integration's URL: the upstream's session id is never sent anywhere else. */
  readonly destination: string;
}

export interface SessionCaller {
  readonly userId: string;
  readonly tokenId: string;
}

/** An open session as the gateway holds it. */
export interface OpenSession {
  readonly id: string;
  readonly era: Era;
  /** The upstream's own Mcp-Session-Id (legacy). */
  readonly upstreamSessionId: string | undefined;
}

/**
 * What the gateway may do with sessions; the management API reads and revokes them beside it.
 * Creation, end and revocation are written before they are answered; activity is written behind,
 * at most every 15 s per session.
 */
export interface GatewaySessions {
  /**
   * Writes the row, then returns the `Mcp-Session-Id` for the client (256 random bits).
   *
   * @throws ProblemError `not_found` when the attachment, its application or its integration is
   *   gone; `forbidden` while the token is refused there.
   */
  openLegacy(
    route: SessionRoute,
    caller: SessionCaller,
    upstreamSessionId: string,
  ): Promise<{ session: OpenSession; clientSessionId: string }>;
  /**
   * The caller's own open session for that id on that attachment. Synchronous while it is held in memory.
   *
   * @throws ProblemError `session_not_found`, also for the session of somebody else.
   */
  findLegacy(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
  ): OpenSession | Promise<OpenSession>;
  /** The open activity session of that token on that attachment, if it is held in memory. */
  peekModern(route: SessionRoute, caller: SessionCaller): OpenSession | undefined;
  /**
   * Whether a call without a protocol session may go up when `peekModern` holds none: not while the
   * revocation of that token's session on that attachment holds. Synchronous while memory knows;
   * one indexed read otherwise.
   *
   * @throws ProblemError `forbidden` with Retry-After.
   */
  checkModern(route: SessionRoute, caller: SessionCaller): undefined | Promise<void>;
  /** That session, or a new one. @throws ProblemError `not_found`, `forbidden` like `openLegacy`. */
  touchModern(route: SessionRoute, caller: SessionCaller): OpenSession | Promise<OpenSession>;
  /**
   * A request or stream of the session is in flight, until `done` is called as often; both are activity.
   *
   * @returns the node's one object for that session, which may be another than the given one: what
   *   follows (`touch`, `done`) is told of that one.
   */
  begin(session: OpenSession): OpenSession;
  done(session: OpenSession): void;
  /** Bytes arrived on a stream of the session: activity. */
  touch(session: OpenSession): void;
  /** The client ended it, or the upstream answered 404 for it. */
  end(session: OpenSession): Promise<void>;
  /** Which of these sessions are no longer open; one query. */
  findEnded(sessions: readonly OpenSession[]): Promise<ReadonlySet<OpenSession>>;
}

/** The counters of one application. `live` is a part of `active` + `idle`. */
export interface SessionCounts {
  readonly active: number;
  readonly idle: number;
  readonly live: number;
  readonly total: number;
}

/** A session as the management API shows it. */
export interface ListedSession {
  readonly id: string;
  readonly integrationId: string;
  readonly userId: string;
  readonly era: Era;
  readonly state: 'open' | 'closed' | 'expired' | 'revoked';
  /** Something is in flight right now, on any node. */
  readonly live: boolean;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
}

export interface SessionPageRequest {
  readonly applicationId: string;
  /** Only sessions with a smaller id. */
  readonly before: string | undefined;
  readonly take: number;
}

/** What the session endpoints read. */
export interface SessionLister {
  /** Sessions in any state, newest first. */
  list(db: Db, page: SessionPageRequest): Promise<readonly ListedSession[]>;
}

/** What the session endpoints do. */
export interface SessionRevoker {
  /**
   * Ends an open session. A modern one's token is refused on that attachment from then on, for as
   * long as a modern session lasts without activity.
   *
   * @returns false when the application has no such session; one that has ended already stays as it is.
   */
  revoke(
    tx: Tx,
    session: { readonly id: string; readonly applicationId: string },
  ): Promise<boolean>;
}

/** What the applications' list and reads need of sessions. */
export interface SessionCounter {
  /** The counters of these applications, all of them in one grouped, indexed query. */
  count(db: Db, applicationIds: readonly string[]): Promise<ReadonlyMap<string, SessionCounts>>;
}
