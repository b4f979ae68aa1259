import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/**
 * `legacy`: MCP up to 2025-11-25; `modern`: MCP 2026-07-28, which has no session of its own.
 */
export type SessionEra = 'legacy' | 'modern';

/**
 * `closed` was ended by the client, `expired` by silence, `revoked` by the service.
 */
export type SessionState = 'open' | 'closed' | 'expired' | 'revoked';

/**
 * One user's use of one attached integration through an application.
 */
export interface Session {
  /** UUID. */
  id: string;
  integrationId: string;
  userId: string;
  era: Open<SessionEra>;
  state: Open<SessionState>;
  /** Whether a stream or a request is in flight right now. */
  live: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastActivityAt: string;
  /** ISO 8601; `null` while open. */
  endedAt: string | null;
}

/**
 * Which sessions to list.
 */
export type ListSessionsQuery = PageQuery;
