/**
 * `modern`: MCP 2026-07-28 and later, without protocol sessions. `legacy`: up to 2025-11-25, where an
 * upstream may mint a session on `initialize`.
 */
export type Era = 'legacy' | 'modern';

/** How a call takes part in sessions, as far as its headers tell. */
export type SessionUse =
  /** In the legacy session whose id it carries. */
  | 'legacy'
  /** Without a protocol session: the activity of its token on the integration is its session. */
  | 'activity'
  /** `initialize`, or the client of a stateless upstream: only the response tells. */
  | 'undecided';

const FIRST_MODERN_VERSION = '2026-07-28';
const VERSION = /^\d{4}-\d{2}-\d{2}$/;

/** Versions are dates and compare as text. Without the header a client is older than 2025-06-18, or initializes. */
export function eraOf(protocolVersion: string | undefined): Era {
  if (protocolVersion === undefined || !VERSION.test(protocolVersion)) return 'legacy';
  return protocolVersion >= FIRST_MODERN_VERSION ? 'modern' : 'legacy';
}

/** A modern call has no session even if it names one (2026-07-28 transports: the header is ignored). */
export function sessionUseOf(
  protocolVersion: string | undefined,
  sessionId: string | undefined,
): SessionUse {
  if (eraOf(protocolVersion) === 'modern') return 'activity';
  return sessionId === undefined ? 'undecided' : 'legacy';
}
