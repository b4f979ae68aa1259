import { expect, it } from 'vitest';
import { aliasFor, slugOf } from '../../src/index.ts';

it.each([
  ['GitHub', 'github'],
  ['Everything server', 'everything'],
  ['Customer data platform', 'customer-data'],
  ['Sixteen letters!', 'sixteen-letters'],
  ['abcdefgh ijklmno', 'abcdefgh-ijklmno'],
  ['abcdefgh ijklmnop', 'abcdefgh'],
  ['Donaudampfschifffahrt', 'donaudampfschiff'],
  ['  Größe & Maß ', 'gro-e-ma'],
  ['株式会社', 'integration'],
])(
  'an integration with the name %s has the alias %s, which ends where a word ends',
  (name, alias) => {
    expect(aliasFor(name, new Set())).toBe(alias);
  },
);

it('a taken alias gets a number behind whole words', () => {
  const taken = new Set(['customer-data', 'customer-data-2']);
  expect(aliasFor('Customer data platform', taken)).toBe('customer-data-3');
  expect(aliasFor('abcdefgh ijklmno', new Set(['abcdefgh-ijklmno']))).toBe('abcdefgh-2');
});

it('a slug never begins or ends with a hyphen, and never exceeds its length', () => {
  for (let length = 1; length < 30; length += 1) {
    const slug = slugOf(' -- One, two: three/four five -- ', length);
    expect(slug.length).toBeLessThanOrEqual(length);
    expect(slug).toMatch(/^[a-z0-9](.*[a-z0-9])?$/);
  }
});
