import { describe, expect, it } from 'vitest';
import { patternSize } from '../../../src/rules/credential-schema/pattern-size.ts';

describe('the size of a pattern', () => {
  it.each([
    ['', 1],
    ['abc', 4],
    ['^ghp_[A-Za-z0-9]{36}$', 43],
    ['a{1000}', 1001],
    ['a{2,}', 4],
    ['a{0}', 2],
    ['(ab){10}', 41],
    ['((a{10}){10}){10}', 1221],
    ['\\p{L}', 51],
    ['\\p{L}{1000}', 1050],
    ['[^\\p{L}\\P{N}]', 102],
    ['[]{1000}]', 1003],
    ['[^]{1000}', 1002],
    ['[{1000}', 3],
    ['\\{1000}', 7],
    ['x{1000', 7],
    ['[[:alpha:](]{100}', 102],
    ['([)]a){100}', 501],
    ['([(]a){100}', 501],
  ])('of %s is about %d', (pattern, size) => {
    expect(Math.abs(patternSize(pattern) - size)).toBeLessThanOrEqual(size / 50 + 1);
  });

  it('is beyond any limit for text that RE2 alone would quote', () => {
    expect(patternSize('\\Qa\\E')).toBe(Number.POSITIVE_INFINITY);
  });
});
