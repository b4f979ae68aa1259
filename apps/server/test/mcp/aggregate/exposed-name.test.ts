import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposedNameOf, looksShortened } from '../../../src/mcp/aggregate/exposed-name.ts';
import { application, nameLength } from './arbitrary.ts';

const ID = '0198c0de-0000-7000-8000-000000000001';
const exposed = (alias: string, name: string, length = 64) =>
  exposedNameOf({ integrationId: ID, alias, name, nameLength: length });

/** RFC 4648 section 6, bit by bit. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{5}/g) ?? [];
  return groups
    .map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group, 2)])
    .join('');
}

function ending(name: string): string {
  const digest = createHash('sha256').update(ID).update(Buffer.of(0)).update(name, 'utf8').digest();
  return `_${base32(digest.subarray(0, 5))}`;
}

describe('an exposed name', () => {
  it.each([
    ['git', 'create_issue', 'git__create_issue'],
    ['', 'create_issue', 'create_issue'],
    ['git-2', 'a', 'git-2__a'],
    ['git', '_a', 'git___a'],
    ['git', '', 'git__'],
    ['git', 'list_projects', 'git__list_projects'],
    ['', 'A-b_9', 'A-b_9'],
  ])('of %s and %s is %s', (alias, name, expected) => {
    expect(exposed(alias, name)).toBe(expected);
  });

  it.each([
    ['git', 'a.b', 'git__a_b'],
    ['', 'a b/c', 'a_b_c'],
    ['git', 'caf\u00e9', 'git__caf_'],
    ['git', 'cafe\u0301', 'git__cafe_'],
    ['git', '\u{1f600}\u{1f600}', 'git____'],
    ['', 'git: x', 'git__x'],
  ])(
    'of %s and %s has an underscore for each other code point, and a hash',
    (alias, name, start) => {
      expect(exposed(alias, name)).toBe(start + ending(name));
    },
  );

  it('is cut from the first character that does not fit', () => {
    const fits = 'a'.repeat(64 - 'git__'.length);
    expect(exposed('git', fits)).toBe(`git__${fits}`);
    const longer = `${fits}a`;
    expect(exposed('git', longer)).toBe(`git__${'a'.repeat(50)}${ending(longer)}`);
    expect(exposed('git', longer)).toHaveLength(64);
    const bare = 'b'.repeat(33);
    expect(exposed('', bare, 32)).toBe(`${'b'.repeat(23)}${ending(bare)}`);
  });

  it('keeps the longest alias at the smallest length', () => {
    const alias = 'x'.repeat(16);
    const name = 'y'.repeat(15);
    expect(exposed(alias, name, 32)).toBe(`${alias}__yyyyy${ending(name)}`);
  });

  it('has all characters of its hash also where the digest begins with zeros', () => {
    const numbers = Array.from({ length: 300 }, (_, index) => `n ${index}`);
    for (const name of numbers) expect(exposed('', name)).toMatch(/_[a-z2-7]{8}$/);
    expect(numbers.some((name) => /_a[a-z2-7]{7}$/.test(exposed('', name)))).toBe(true);
  });

  it('differs between integrations if it is shortened', () => {
    const of = (integrationId: string) =>
      exposedNameOf({ integrationId, alias: 'git', name: 'a b', nameLength: 64 });
    expect(of(ID)).not.toBe(of(ID.replace('1', '2')));
  });

  it('is at most as long as allowed, has no other characters, and keeps its prefix', () => {
    const seen = { whole: 0, shortened: 0 };
    fc.assert(
      fc.property(application, nameLength, ({ attachments }, length) => {
        for (const { integrationId, alias, names } of attachments) {
          for (const name of names) {
            const result = exposedNameOf({ integrationId, alias, name, nameLength: length });
            const prefix = alias === '' ? '' : `${alias}__`;
            expect(result).toMatch(/^[A-Za-z0-9_-]*$/);
            expect(result.length).toBeLessThanOrEqual(length);
            expect(result.startsWith(prefix)).toBe(true);
            const isWhole = result === prefix + name;
            if (!isWhole) expect(looksShortened(result.slice(prefix.length))).toBe(true);
            seen[isWhole ? 'whole' : 'shortened'] += 1;
          }
        }
      }),
      { numRuns: 500, seed: 26 },
    );
    expect(Math.min(seen.whole, seen.shortened)).toBeGreaterThan(300);
  });
});

it.each([
  ['list_projects', true],
  ['x_abcdefg7', true],
  ['_abcdefgh', true],
  ['abcdefgh', false],
  ['x_abcdefg1', false],
  ['x_Abcdefgh', false],
  ['x_abcdefghi', false],
  ['x_abcdefgh\n', false],
])('whether %j looks shortened is %s', (name, expected) => {
  expect(looksShortened(name)).toBe(expected);
});
