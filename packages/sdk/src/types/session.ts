import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/** `session`: calls through the gateway; `lease`: a credential that was handed out. */
export type SessionKind = 'session' | 'lease';

/** `legacy`: MCP up to 2025-11-25; `modern`: MCP 2026-07-28, which has no sessions. */
export type SessionEra = 'legacy' | 'modern';

/**
 * `open`: not ended; `closed`: ended by the client; `expired`: ended by inactivity; `revoked`: ended by the service.
 */
export type SessionState = 'open' | 'closed' | 'expired' | 'revoked';

/**
 * The use of one attached integration by one user through an application, or by the application itself;
 * or the lease of a credential that was handed out for such use.
 */
export interface Session {
  kind: Open<SessionKind>;
  /** UUID. */
  id: string;
  integrationId: string;
  /** UUID; null when the application acted for itself, by client credentials. */
  userId: string | null;
  /** Of a lease always `modern`. */
  era: Open<SessionEra>;
  state: Open<SessionState>;
  /** Whether a stream or a request is in progress. */
  live: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastActivityAt: string;
  /** ISO 8601; `null` while open. */
  endedAt: string | null;
  /** ISO 8601. When a lease ends by itself; `null` for a session, which expires by inactivity. */
  expiresAt: string | null;
}

/**
 * Which sessions to list.
 */
export type ListSessionsQuery = PageQuery;

/**
 * A session of any application, with the names that a person knows it by.
 */
export interface SessionWithNames extends Session {
  applicationId: string;
  applicationName: string;
  integrationName: string;
  /** `null` where `userId` is, and for a member who was removed. */
  userName: string | null;
}

/**
 * Which sessions are meant: all that match every field.
 */
export interface SessionsFilter {
  /** Only those of this application. */
  readonly applicationId?: string | undefined;
  /** Only those of this integration. */
  readonly integrationId?: string | undefined;
  /** Only those of this member; a member finds their own alone. */
  readonly userId?: string | undefined;
  /** Only those in this state. */
  readonly state?: SessionState | undefined;
  /** Only those of this kind. */
  readonly kind?: SessionKind | undefined;
}

/**
 * The query of `GET /sessions`.
 */
export interface ListAllSessionsQuery extends PageQuery, SessionsFilter {}

/**
 * A page of sessions across applications. It may have fewer items than its limit although there are more.
 */
export interface SessionWithNamesPage {
  items: SessionWithNames[];
  nextCursor: string | null;
}

/**
 * The body of `POST /sessions/end`.
 */
export interface EndSessionsBody {
  /** With at least one of `applicationId`, `integrationId` and `userId`. */
  readonly filter: SessionsFilter;
  /** Ends nothing, and says what would end. */
  readonly dryRun?: boolean | undefined;
}

/**
 * How many sessions ended, or would end.
 */
export interface EndedSessions {
  sessions: number;
  leases: number;
  /** Of the sessions, those with a stream or request in flight. */
  streams: number;
}

/**
 * The response of `POST /sessions/end`.
 */
export interface EndSessionsResponse {
  ended: EndedSessions;
  /** How many that match further requests have to end. */
  remaining: number;
  /** The newest of those that ended, at most 20. */
  items: SessionWithNames[];
}
