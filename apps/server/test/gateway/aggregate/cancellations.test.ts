import { expect, it, onTestFinished } from 'vitest';
import { Cancellations } from '../../../src/gateway/aggregate/client-requests.ts';
import type { Change } from '../../../src/platform/changes/changes.ts';

function start(fail = false) {
  const transactions: string[][] = [];
  const errors: unknown[] = [];
  let running = 0;
  const transaction = async (work: (tx: never) => Promise<unknown>) => {
    running += 1;
    expect(running).toBe(1);
    const announce = (...changes: Change[]) => transactions.push(changes.map(({ id }) => id));
    await work({ announce } as never);
    await new Promise(setImmediate);
    running -= 1;
    if (fail) throw new Error('The database is away.');
  };
  const cancellations = new Cancellations({ transaction } as never, (error) => errors.push(error));
  onTestFinished(() => cancellations.close());
  const announce = (personId: string, from: number, to: number) => {
    for (let n = from; n < to; n += 1) cancellations.announce(`${personId} ${n}`, personId);
  };
  return { cancellations, transactions, errors, announce };
}

it('a cancellation is announced at once', () => {
  const { transactions, announce } = start();
  announce('person', 0, 1);
  expect(transactions).toEqual([['person 0']]);
});

it('a person has sixteen cancellations waiting at most, and takes no place of others', async () => {
  const { transactions, announce } = start();
  announce('other', 0, 1);
  announce('person', 0, 1_000);
  announce('another', 0, 2);
  await expect.poll(() => transactions.length).toBe(2);
  const { length } = transactions[1]?.filter((key) => key.startsWith('person ')) ?? [];
  expect(length).toBe(16);
  expect(transactions[1]?.slice(-2)).toEqual(['another 0', 'another 1']);
  announce('person', 1_000, 1_016);
  await expect.poll(() => transactions.length).toBe(3);
  expect(transactions[2]).toHaveLength(16);
});

it('cancellations of many people are announced in turn, with a pause, and no more than fit', async () => {
  const { transactions, announce } = start();
  const begun = performance.now();
  for (let n = 0; n < 2_000; n += 1) announce(`person-${n}`, 0, 1);
  await expect.poll(() => transactions.length).toBe(3);
  expect(performance.now() - begun).toBeGreaterThan(190);
  expect(transactions.map(({ length }) => length)).toEqual([1, 64, 64]);
  await expect.poll(() => transactions.flat().length).toBe(1_001);
});

it('cancellations that could not be announced are reported, and later ones are announced', async () => {
  const { transactions, errors, announce } = start(true);
  announce('person', 0, 1);
  await expect.poll(() => errors.length).toBe(1);
  announce('person', 1, 2);
  await expect.poll(() => transactions).toEqual([['person 0'], ['person 1']]);
});
