/**
 * `modern`: MCP 2026-07-28 and later, without protocol sessions. `legacy`: up to 2025-11-25, where an
 * upstream may issue a session id on `initialize`.
 */
export type Era = 'legacy' | 'modern';

export const ERAS: readonly Era[] = ['legacy', 'modern'];

export const LAST_LEGACY_VERSION = '2025-11-25';
export const FIRST_MODERN_VERSION = '2026-07-28';

/** How a call relates to sessions, as far as its headers show. */
export type SessionMode =
  /** It carries the id of the legacy session it belongs to. */
  | 'legacy'
  /** No protocol session: the activity of its token on the attachment is its session. */
  | 'modern'
  /** `initialize`, or the client of a stateless upstream: only the response shows which. */
  | 'undecided';

const VERSION = /^\d{4}-\d{2}-\d{2}$/;

/** Versions are dates and compare as text. A call without the header predates 2025-06-18, or is `initialize`. */
export function eraOf(protocolVersion: string | undefined): Era {
  if (protocolVersion === undefined || protocolVersion < FIRST_MODERN_VERSION) return 'legacy';
  return VERSION.test(protocolVersion) ? 'modern' : 'legacy';
}

/** A modern call has no session even if it carries a session id (2026-07-28 transports: the header is ignored). */
export function sessionModeOf(
  protocolVersion: string | undefined,
  sessionId: string | undefined,
): SessionMode {
  if (eraOf(protocolVersion) === 'modern') return 'modern';
  return sessionId === undefined ? 'undecided' : 'legacy';
}

/** The versions of the legacy era, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  LAST_LEGACY_VERSION,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/**
 * The version to answer an `initialize` with: the requested one if it is known and not too new, else the
 * newest (2025-11-25 lifecycle, "Version Negotiation").
 */
export function negotiatedVersion(requested: unknown, newest: string): string {
  const spoken = LEGACY_VERSIONS.filter((version) => version <= newest);
  return spoken.find((version) => version === requested) ?? newest;
}

/** Whether `MCP-Protocol-Version` names a version of the legacy era; absent, it is one before 2025-06-18. */
export function isLegacyVersion(version: string | undefined): boolean {
  return version === undefined || LEGACY_VERSIONS.includes(version);
}
