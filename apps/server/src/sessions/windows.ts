import type { Era } from '../mcp/era.ts';

/** The times that decide a session's state, in milliseconds. */
export interface SessionWindows {
  /** `GATEHOUSE_SESSION_ACTIVE_WINDOW`: active means activity within it. */
  readonly active: number;
  /** `GATEHOUSE_SESSION_LEGACY_TTL`: silence after which a legacy session expires. */
  readonly legacyTtl: number;
  /** `GATEHOUSE_SESSION_MODERN_TTL`: silence after which a modern session expires. */
  readonly modernTtl: number;
}

export const defaultWindows: SessionWindows = {
  active: 5 * 60_000,
  legacyTtl: 24 * 60 * 60_000,
  modernTtl: 30 * 60_000,
};

export function ttlOf(windows: SessionWindows, era: Era): number {
  return era === 'legacy' ? windows.legacyTtl : windows.modernTtl;
}
