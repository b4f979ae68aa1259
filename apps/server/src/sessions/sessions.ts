import type { Era } from '../mcp/era.ts';
import type { Db, Tx } from '../platform/database/store.ts';

/** The attachment a session belongs to, from the gateway's route. */
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

/** An open session, as the gateway uses it. */
export interface OpenSession {
  readonly id: string;
  /** By whether the upstream issued a session id, not by the client's version: a legacy client may have a modern session. */
  readonly era: Era;
  /** The upstream's own Mcp-Session-Id (legacy). */
  readonly upstreamSessionId: string | undefined;
}

/**
 * What the gateway does with sessions. Creation, end and revocation are written before the response
 * is sent; activity is written behind, at most every 15 s per session.
 */
export interface GatewaySessions {
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
  ): Promise<{ session: OpenSession; clientSessionId: string }>;
  /**
   * The caller's own open session of that id on that attachment. Synchronous when it is in memory.
   *
   * @throws ProblemError `session_not_found`, also for another user's session.
   */
  requireLegacy(
    route: SessionRoute,
    caller: SessionCaller,
    clientSessionId: string,
  ): OpenSession | Promise<OpenSession>;
  /** The open modern session of that token on that attachment, if it is in memory. */
  peekModern(route: SessionRoute, caller: SessionCaller): OpenSession | undefined;
  /** That session, or a new one. @throws ProblemError `not_found`, `forbidden` like `openLegacy`. */
  findOrOpenModern(route: SessionRoute, caller: SessionCaller): OpenSession | Promise<OpenSession>;
  /**
   * Refuses a call without a protocol session while its token is blocked on that attachment; needed
   * only when `peekModern` returns none. Synchronous when memory has it, one indexed read otherwise.
   *
   * @throws ProblemError `forbidden` with Retry-After.
   */
  checkNotBlocked(route: SessionRoute, caller: SessionCaller): undefined | Promise<void>;
  /**
   * A request or stream of the session is in flight until `leave`. Entering and leaving are
   * activity; merely staying open is not.
   *
   * @returns this node's shared object of that session, which may not be the given one: pass it to
   *   `touch` and `leave`.
   */
  enter(session: OpenSession): OpenSession;
  leave(session: OpenSession): void;
  /** Bytes arrived on a stream of the session: activity. */
  touch(session: OpenSession): void;
  /** Closes the session: its client ended it, or the upstream responded 404 for it. */
  end(session: OpenSession): Promise<void>;
  /** Those of these sessions that have ended; one query. */
  findEnded(sessions: readonly OpenSession[]): Promise<ReadonlySet<OpenSession>>;
}

/** The counters of one application. `live` sessions are among the `active` and `idle` ones. */
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
  /** By whether the upstream issued a session id, not by the client's version: a legacy client may have a modern session. */
  readonly era: Era;
  readonly state: 'open' | 'closed' | 'expired' | 'revoked';
  /** Something is in flight, on any node. */
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

/** Reads for the session endpoints. */
export interface SessionLister {
  /** Sessions in any state, newest first. */
  list(db: Db, page: SessionPageRequest): Promise<readonly ListedSession[]>;
}

/** An application or a member: all sessions of it. */
export interface SessionsOf {
  readonly kind: 'application' | 'member';
  readonly id: string;
}

/** What a revocation of many sessions has ended. */
export interface RevokedSessions {
  /** Those that were open. */
  readonly sessions: number;
  /** Of those, the ones with something in flight, on any node. */
  readonly streams: number;
}

/** Writes for the session endpoints. */
export interface SessionRevoker {
  /**
   * Revokes an open session. The token of a modern one is blocked on that attachment from then on,
   * for as long as a modern session lasts without activity.
   *
   * @returns false when the application has no such session; one that has already ended is not changed.
   */
  revoke(
    tx: Tx,
    session: { readonly id: string; readonly applicationId: string },
  ): Promise<boolean>;
  /** Revokes all open sessions of an application or a member, counts them, and announces that row. */
  revokeAll(tx: Tx, of: SessionsOf): Promise<RevokedSessions>;
}

/** Counts for the applications' endpoints. */
export interface SessionCounter {
  /** The counters of these applications, in one grouped, indexed query. */
  count(db: Db, applicationIds: readonly string[]): Promise<ReadonlyMap<string, SessionCounts>>;
}

/** The sessions of this node: what the gateway uses, and what the management API does with them. */
export interface Sessions extends GatewaySessions, SessionCounter, SessionLister, SessionRevoker {
  /** Sessions with something in flight on this node. */
  countLive(): number;
  /** Writes activity and presence that are due; a timer does it every second. */
  flush(): Promise<void>;
  /** Writes what is left and deletes this node's presence. @throws when the database does. */
  close(): Promise<void>;
}
