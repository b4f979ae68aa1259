import { expect, it } from 'vitest';
import { inBatches } from '../../../src/platform/database/batches.ts';
import { useStoppedClock } from '../../support/clock.ts';

const clock = useStoppedClock();

/**
 * A database where each row takes this many milliseconds.
 *
 * @returns the size of each batch, how long it rested after each, and how many rows are left.
 */
async function run(rows: number, millisecondsPerRow: number, closeAfter?: number) {
  const sizes: number[] = [];
  const rests: number[] = [];
  const closing = new AbortController();
  let left = rows;
  const change = async (size: number) => {
    sizes.push(size);
    const changed = Math.min(size, left);
    left -= changed;
    clock.pass(changed * millisecondsPerRow);
    if (sizes.length === closeAfter) closing.abort();
    return changed;
  };
  const rest = async (milliseconds: number) => void rests.push(milliseconds);
  await inBatches(change, { signal: closing.signal, rest });
  return { sizes, rests, left };
}

it('changes all rows, in batches of some 20 ms', async () => {
  const { sizes, left } = await run(1_000, 1);
  expect(left).toBe(0);
  expect(sizes.slice(0, 4)).toEqual([100, 25, 20, 20]);
});

it('makes batches larger where rows take little, up to 5,000', async () => {
  const { sizes } = await run(30_000, 0.001);
  expect(sizes.slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

it('makes batches of 10 rows at least', async () => {
  const { sizes } = await run(200, 500);
  expect(Math.min(...sizes)).toBe(10);
});

it('rests after each batch for as long as it took', async () => {
  const { rests } = await run(150, 1);
  expect(rests.map(Math.round)).toEqual([100, 25, 20]);
});

it('asks once where nothing is to be changed', async () => {
  expect(await run(0, 1)).toEqual({ sizes: [100], rests: [], left: 0 });
});

it('ends after the running batch when aborted', async () => {
  expect((await run(10_000, 1, 2)).sizes).toHaveLength(2);
});
