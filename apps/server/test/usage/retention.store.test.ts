import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { UsedCall } from '../../src/usage/counts.ts';
import { sweepUsage } from '../../src/usage/retention.ts';
import { useStore } from '../support/store.ts';
import { callOf, countAll, DAY, HOUR, read } from './fixture.ts';

const store = useStore();

const clean = () => sweepUsage(store.db, 400);

const calls = fc.array(
  fc.record({
    hoursAgo: fc.integer({ min: 0, max: 80 }),
    applicationId: fc.constantFrom(callOf().applicationId, callOf().applicationId),
    subjectId: fc.constantFrom(callOf().subjectId, callOf().subjectId),
    tools: fc.array(fc.constantFrom('', 'echo', 'sum'), { minLength: 1, maxLength: 3 }),
    outcome: fc.constantFrom('ok', 'refused', 'error', 'upstream_error'),
    ms: fc.integer({ min: 0, max: 100_000 }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Of all days, by series. */
async function sumsOf(organizationId: string, fields: Parameters<typeof read>[2]) {
  const rows = await read(store.db, organizationId, fields);
  const sums = new Map<string, readonly number[]>();
  for (const row of rows) {
    const { key, at, bytesIn, latency, refusals, errors, upstreamErrors } = row;
    const day = `${key} ${Math.floor(at.getTime() / DAY)}`;
    const numbers = [row.calls, refusals, errors, upstreamErrors, bytesIn, ...latency];
    const before = sums.get(day) ?? numbers.map(() => 0);
    sums.set(
      day,
      numbers.map((number, n) => number + (before[n] ?? 0)),
    );
  }
  return new Map([...sums].sort());
}

it('days are the sums of their hours, before and after housekeeping has made them', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (made) => {
      const base = callOf();
      const all = made.map(({ hoursAgo, ...fields }): UsedCall => {
        return { ...base, ...fields, endedAt: Date.now() - hoursAgo * HOUR };
      });
      const half = Math.floor(all.length / 2);
      await countAll(store.db, all.slice(0, half));
      await clean();
      await countAll(store.db, all.slice(half).filter(isNotYetInDay));
      await countAll(
        store.db,
        all
          .slice(half)
          .filter((call) => !isNotYetInDay(call))
          .map(toNow),
      );
      for (const isCleaned of [false, true]) {
        if (isCleaned) await clean();
        for (const groupBy of [undefined, 'application', 'tool', 'person'] as const) {
          const days = await sumsOf(base.organizationId, { step: 'day', groupBy });
          expect(days).toEqual(await sumsOf(base.organizationId, { step: 'hour', groupBy }));
          if (groupBy === undefined) expect(days.size).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

const isNotYetInDay = ({ endedAt }: UsedCall) => endedAt > Date.now() - 5 * HOUR;
const toNow = (call: UsedCall): UsedCall => ({ ...call, endedAt: Date.now() });

const usageOf = async (organizationId: string, step: 'minute' | 'hour' | 'day') =>
  (await read(store.db, organizationId, { step })).reduce((sum, { calls }) => sum + calls, 0);

/** The calls that are left by minute, hour and day. */
async function leftAfter(days: number, ages: readonly number[]): Promise<readonly number[]> {
  const call = callOf();
  const { organizationId } = call;
  await store.db.organization.create({
    data: { id: organizationId, name: 'O', createdAt: new Date() },
  });
  await countAll(
    store.db,
    ages.map((age) => ({ ...call, endedAt: Date.now() - age })),
  );
  await sweepUsage(store.db, days);
  return Promise.all(
    (['minute', 'hour', 'day'] as const).map((step) => usageOf(organizationId, step)),
  );
}

const AGES = [47 * HOUR, 49 * HOUR, 34 * DAY, 36 * DAY, 399 * DAY, 402 * DAY];

it('minutes stay for 48 hours, hours for 35 days, days for as long as is set', async () => {
  expect(await leftAfter(400, AGES)).toEqual([1, 3, 5]);
  expect(await leftAfter(1_000, AGES)).toEqual([1, 3, 6]);
  expect(await leftAfter(100, AGES)).toEqual([1, 3, 4]);
});

it('neither minutes nor hours of usage stay for longer than usage is kept', async () => {
  expect(await leftAfter(10, AGES)).toEqual([1, 2, 2]);
  expect(await leftAfter(1, [23 * HOUR, 60 * HOUR])).toEqual([1, 1, expect.any(Number)]);
});
