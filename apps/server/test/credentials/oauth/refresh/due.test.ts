import { describe, expect, it } from 'vitest';
import {
  dueOf,
  hasExpired,
  isWorthRefreshing,
} from '../../../../src/credentials/oauth/refresh/due.ts';

const HOUR = 3_600_000;
const grant = (lifetime: number, refreshToken: string | undefined = 'refresh') => ({
  ...(refreshToken === undefined ? {} : { refreshToken }),
  obtainedAt: 0,
  expiresAt: lifetime,
});

describe('a token', () => {
  it.each([
    ['an hour', HOUR, HOUR - 60_001, 'no'],
    ['an hour', HOUR, HOUR - 60_000, 'soon'],
    ['an hour', HOUR, HOUR - 2_001, 'soon'],
    ['an hour', HOUR, HOUR - 2_000, 'now'],
    ['ten seconds', 10_000, 7_999, 'no'],
    ['ten seconds', 10_000, 8_000, 'soon'],
    ['ten seconds', 10_000, 9_500, 'now'],
  ] as const)('of %s (%i ms) is due for a refresh at %i ms: %s', (_name, lifetime, now, due) => {
    expect(dueOf(grant(lifetime), now)).toBe(due);
  });

  it('is never due without a refresh token, or while its lifetime is unknown', () => {
    expect(dueOf({ obtainedAt: 0, expiresAt: 1 }, HOUR)).toBe('no');
    expect(dueOf({ refreshToken: 'refresh', obtainedAt: 0 }, 1000 * HOUR)).toBe('no');
  });

  it('has expired at its expiry and not before', () => {
    expect(hasExpired(grant(1000), 999)).toBe(false);
    expect(hasExpired(grant(1000), 1000)).toBe(true);
    expect(hasExpired({}, HOUR)).toBe(false);
  });
});

describe('a rejected token', () => {
  it.each([
    ['of an hour', HOUR, 29_999, false],
    ['of an hour', HOUR, 30_000, true],
    ['of two seconds', 2_000, 999, false],
    ['of two seconds', 2_000, 1_000, true],
  ] as const)(
    '%s (%i ms), obtained %i ms ago, is worth a refresh: %s',
    (_name, lifetime, age, is) => {
      expect(isWorthRefreshing(grant(lifetime), age)).toBe(is);
    },
  );

  it('of unknown lifetime is worth one after 30 s', () => {
    expect(isWorthRefreshing({ refreshToken: 'refresh', obtainedAt: 0 }, 29_999)).toBe(false);
    expect(isWorthRefreshing({ refreshToken: 'refresh', obtainedAt: 0 }, 30_000)).toBe(true);
    expect(isWorthRefreshing({ obtainedAt: 0 }, HOUR)).toBe(false);
  });
});
