import { describe, expect, it } from 'vitest';
import { eraOf, sessionModeOf } from '../../src/mcp/era.ts';

describe('the era of a call', () => {
  it.each([
    [undefined, 'legacy'],
    ['2024-11-05', 'legacy'],
    ['2025-11-25', 'legacy'],
    ['2026-07-28', 'modern'],
    ['2027-01-01', 'modern'],
    ['DRAFT-2026', 'legacy'],
    ['', 'legacy'],
  ] as const)('of version %s is %s', (version, era) => {
    expect(eraOf(version)).toBe(era);
  });

  it('decides what a session id means', () => {
    expect(sessionModeOf('2025-11-25', 'id')).toBe('legacy');
    expect(sessionModeOf(undefined, 'id')).toBe('legacy');
    expect(sessionModeOf('2026-07-28', 'id')).toBe('modern');
    expect(sessionModeOf('2026-07-28', undefined)).toBe('modern');
    expect(sessionModeOf('2025-11-25', undefined)).toBe('undecided');
  });
});
