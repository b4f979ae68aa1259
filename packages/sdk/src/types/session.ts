import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/** `session`: calls through the gateway; `lease`: a credential that was handed out. */
export type SessionKind = 'session' | 'lease';

/** `legacy`: MCP up to 2025-11-25; `modern`: MCP 2026-07-28, which has no sessions. */
export type SessionEra = 'legacy' | 'modern';

/**
 * `closed`: ended by the client; `expired`: ended by inactivity; `revoked`: ended by the service.
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
