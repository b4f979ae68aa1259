import { describe, expect, it } from 'vitest';
import { hasWords } from '../src/views/has-words.ts';
import { expiryOf, isExpired, tomorrow } from '../src/views/tokens/expiry.ts';

const NOW = Date.parse('2026-12-31T10:00:00.000Z');

describe('the end of a token', () => {
  it('is some days from now, never, or the end of a day in the time zone of the person', () => {
    expect(expiryOf('30', '', NOW)).toBe('2027-01-30T10:00:00.000Z');
    expect(expiryOf('never', '2027-01-01', NOW)).toBeNull();
    expect(expiryOf('day', '2027-02-01', NOW)).toBe(new Date(2027, 1, 1, 23, 59, 59).toISOString());
    expect(expiryOf('day', '', NOW)).toBeUndefined();
  });

  it('can be tomorrow at the earliest', () => {
    expect(tomorrow(new Date(2026, 11, 31, 10).getTime())).toBe('2027-01-01');
  });

  it('has come at its very moment', () => {
    expect(isExpired('2026-12-31T10:00:00.000Z', NOW)).toBe(true);
    expect(isExpired('2026-12-31T10:00:00.001Z', NOW)).toBe(false);
    expect(isExpired(null, NOW)).toBe(false);
  });
});

describe('a search', () => {
  it('finds each word anywhere, whatever its case', () => {
    expect(hasWords('PARK jon', 'Jon Park', 'jp@example.com')).toBe(true);
    expect(hasWords('park smith', 'Jon Park')).toBe(false);
    expect(hasWords(undefined, 'Jon Park')).toBe(true);
    expect(hasWords(' ', 'Jon Park')).toBe(true);
  });
});
