import { expect, it } from 'vitest';
import { ToolIndexes } from '../../../src/gateway/aggregate/search/tool-indexes.ts';
import { cpuNow, longestHold } from '../../support/holds.ts';

/** Milliseconds of CPU that a search may take, and that the process may be held. */
const SEARCH = 10;
const HOLD = 20;

const WORDS = Array.from({ length: 5_000 }, (_, index) => `w${((index + 1) * 7919).toString(36)}`);
const wordsFrom = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => WORDS[(seed * 31 + index * index) % WORDS.length]);

function listOf(count: number, from = 0, words = 60) {
  return Array.from({ length: count }, (_, index) => {
    const name = `t${from + index}__${wordsFrom(from + index, 3).join('_')}`;
    const description = wordsFrom(from + index, words).join(' ');
    return { identifier: name, bytes: Buffer.from(JSON.stringify({ name, description })) };
  });
}

it('2,000 tools are indexed without a long hold, and searched at once', async () => {
  const lists = Array.from({ length: 40 }, (_, index) => listOf(50, index * 50, 200));
  const hold = await longestHold(() => new ToolIndexes().of(lists), HOLD);
  expect(hold).toBeLessThan(HOLD);
  const index = await new ToolIndexes().of(lists);
  const query = wordsFrom(7, 40).join(' ');
  let least = Infinity;
  for (let run = 0; run < 20; run += 1) {
    const before = cpuNow();
    index.search(query, 20, () => true);
    least = Math.min(least, cpuNow() - before);
  }
  expect(least).toBeLessThan(SEARCH);
});

it('lists of the same tools share an index, also when they are read again', async () => {
  const indexes = new ToolIndexes();
  const index = await indexes.of([listOf(3), listOf(2, 3)]);
  expect(await indexes.of([listOf(3), listOf(2, 3)])).toBe(index);
});

it.each([
  ['another tool', [listOf(3), listOf(3, 3)]],
  ['another order', [listOf(2, 3), listOf(3)]],
  ['another description', [listOf(3), listOf(2, 3, 61)]],
])('lists with %s have another index', async (_, lists) => {
  const indexes = new ToolIndexes();
  const index = await indexes.of([listOf(3), listOf(2, 3)]);
  expect(await indexes.of(lists)).not.toBe(index);
});

it('positions go on from list to list', async () => {
  const index = await new ToolIndexes().of([listOf(3), [], listOf(2, 3)]);
  expect(index.search('t4', 1, () => true)).toEqual([4]);
});
