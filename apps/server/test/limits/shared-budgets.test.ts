import { expect, it } from 'vitest';
import type { Limit, Taking } from '../../src/limits/counter.ts';
import type { LimitStore } from '../../src/limits/limit-store.ts';
import { SharedBudgets } from '../../src/limits/shared-budgets.ts';
import { useStoppedClock } from '../support/clock.ts';

const clock = useStoppedClock();
const MINUTE = 60_000;

/** The row of one key, in a minute that the test begins. */
function createRow(): Pick<LimitStore, 'takeBudget'> & { asked: number[]; beginMinute(): void } {
  let minute = 0;
  let used = 0;
  let endsAt = performance.now() + MINUTE;
  return {
    asked: [],
    beginMinute() {
      minute += MINUTE;
      used = 0;
      endsAt = performance.now() + MINUTE;
    },
    async takeBudget({ limit }, wanted) {
      this.asked.push(wanted);
      const taken = Math.max(0, Math.min(wanted, limit - used));
      used += taken;
      return { minute, taken, isSpent: used >= limit, endsIn: endsAt - performance.now() };
    },
  };
}

const of = (limit: number, key = 'key'): Limit => ({ key, limit });

/** Takes, and asks for as long as that is what to do. */
async function take(budgets: SharedBudgets, limit: Limit, count = 1): Promise<number> {
  for (let taking: Taking; ; ) {
    taking = budgets.take(limit, count);
    if (typeof taking === 'number') return taking;
    await taking();
  }
}

async function takeAll(budgets: SharedBudgets, limit: Limit): Promise<number> {
  let taken = 0;
  while ((await take(budgets, limit)) === 0) taken += 1;
  return taken;
}

it.each([1, 7, 19, 20, 21, 39, 99, 100, 1_000])(
  'one node has all of %d a minute, in at most 20 parts',
  async (limit) => {
    const row = createRow();
    expect(await takeAll(new SharedBudgets(row), of(limit))).toBe(limit);
    expect(row.asked.length).toBeLessThanOrEqual(20);
  },
);

it('what is in memory takes no waiting, and what is spent no statement', async () => {
  const row = createRow();
  const budgets = new SharedBudgets(row);
  await take(budgets, of(100));
  for (const _ of [1, 2, 3, 4]) expect(budgets.take(of(100), 1)).toBe(0);
  await takeAll(budgets, of(100));
  const before = row.asked.length;
  clock.pass(20_000);
  expect(budgets.take(of(100), 1)).toBe(40_000);
  expect(row.asked).toHaveLength(before);
});

it('requests at the same moment share a statement', async () => {
  const row = createRow();
  const budgets = new SharedBudgets(row);
  await Promise.all(Array.from({ length: 5 }, () => take(budgets, of(100))));
  expect(row.asked).toEqual([5]);
});

it('nothing is used after its minute, and the next one has the whole limit', async () => {
  const row = createRow();
  const budgets = new SharedBudgets(row);
  await take(budgets, of(100));
  clock.pass(MINUTE);
  row.beginMinute();
  expect(await takeAll(budgets, of(100))).toBe(100);
});

it('nothing is used of a minute that has ended during a statement', async () => {
  const row = createRow();
  const budgets = new SharedBudgets(row);
  await take(budgets, of(40));
  const { takeBudget } = row;
  row.takeBudget = (...wanted) => {
    row.beginMinute();
    return takeBudget.apply(row, wanted);
  };
  expect(await take(budgets, of(40), 2)).toBe(0);
  expect(budgets.take(of(40), 1)).toBeTypeOf('function');
});

it('a batch gets all or nothing, and leaves what it did not get', async () => {
  const budgets = new SharedBudgets(createRow());
  expect(await take(budgets, of(10), 8)).toBe(0);
  expect(await take(budgets, of(10), 3)).toBeGreaterThan(0);
  expect(await take(budgets, of(10), 2)).toBe(0);
});

it('a batch that is larger than the limit takes nothing', async () => {
  const row = createRow();
  const budgets = new SharedBudgets(row);
  expect(await take(budgets, of(10), 11)).toBe(MINUTE);
  expect(row.asked).toEqual([]);
});

it('while the database is away, what was taken is used first', async () => {
  const row = createRow();
  const budgets = new SharedBudgets(row);
  await take(budgets, of(40));
  row.takeBudget = () => Promise.reject(new Error('away'));
  expect(await take(budgets, of(40))).toBe(0);
  await expect(take(budgets, of(40))).rejects.toThrow('away');
});
