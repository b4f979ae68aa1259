import { expect, it, vi } from 'vitest';
import { callLimitsOf, createCallLimits } from '../../src/limits/call-limits.ts';
import { LocalBudgets, LocalSlots } from '../../src/limits/counter.ts';
import type { LevelLimits } from '../../src/limits/levels.ts';
import { isReserved, ofIntegration, reserve, reserveMany } from './support.ts';

/** Of an embedded database. */
const createLocal = () =>
  createCallLimits({
    store: { kind: 'pglite', statement: () => Promise.reject(new Error('No statement.')) },
    onError: () => {},
  });

it('an embedded database counts without a statement, and without waiting', () => {
  const limits = createLocal();
  const levels = ofIntegration('a', { perMinute: 1_000, concurrent: 2 });
  const [one, two, three] = [1, 2, 3].map(() =>
    limits.reserve(levels, 'person', { perMinute: 1, concurrent: 1 }),
  );
  expect([one, two]).toMatchObject([{ kind: 'reserved' }, { kind: 'reserved' }]);
  expect(three).toEqual({
    kind: 'limited',
    level: 'integration',
    limit: 'concurrent',
    retryAfter: 1,
  });
});

it('an embedded database counts the minutes of its clock', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 59_000 });
  try {
    const budgets = new LocalBudgets();
    const limit = { key: 'key', limit: 2 };
    expect([1, 2, 3].map(() => budgets.take(limit, 1))).toEqual([0, 0, 1_000]);
    vi.setSystemTime(60_000);
    expect([1, 2, 3].map(() => budgets.take(limit, 1))).toEqual([0, 0, 60_000]);
  } finally {
    vi.useRealTimers();
  }
});

it('a released reservation has given its slots back, and what it used of the minute stays used', async () => {
  const limits = createLocal();
  const levels = ofIntegration('b', { perMinute: 3, concurrent: 1 });
  for (const _ of [1, 2, 3]) {
    const outcome = await reserve(limits, levels);
    expect(outcome.kind).toBe('reserved');
    if (isReserved(outcome)) outcome.release();
  }
  expect(await reserve(limits, levels)).toMatchObject({ limit: 'perMinute' });
});

it('a call that one level refuses takes nothing of the others', async () => {
  const limits = callLimitsOf({ perMinute: new LocalBudgets(), concurrent: new LocalSlots() });
  const person: LevelLimits = { level: 'person', key: 'person:a/b/', limits: { perMinute: 5 } };
  const [integration] = ofIntegration('c', { perMinute: 2 });
  if (integration === undefined) throw new Error('There is a level.');
  expect(await reserveMany(limits, [person, integration], 10)).toBe(2);
  expect(await reserveMany(limits, [person], 10)).toBe(3);
});

it('each person has the limit, and all share that of the integration', async () => {
  const limits = createLocal();
  const levels: LevelLimits[] = [
    { level: 'person', key: 'person:d/e/', limits: { perMinute: 2 } },
    ...ofIntegration('e', { perMinute: 3 }),
  ];
  const levelOf = async (person: string) => {
    const outcome = await limits.reserve(levels, person, { perMinute: 1, concurrent: 1 });
    return isReserved(outcome) ? 'reserved' : outcome.level;
  };
  const found = [];
  for (const person of ['ada', 'ada', 'ada', 'ben', 'ben']) found.push(await levelOf(person));
  expect(found).toEqual(['reserved', 'reserved', 'person', 'reserved', 'integration']);
});
