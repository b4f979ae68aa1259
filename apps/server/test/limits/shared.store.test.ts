import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallLimits, createCallLimits } from '../../src/limits/call-limits.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { createId } from '../../src/platform/ids.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useNodes } from './nodes.ts';
import { isReserved, ofIntegration, reserve, reserveMany } from './support.ts';

describe.runIf(testDatabaseKind === 'postgresql')('nodes', () => {
  const { store, startNodes, startPair, withinOneMinute } = useNodes();

  const newKey = () => createId().id;

  it.each([
    [2, 1],
    [2, 7],
    [2, 100],
    [5, 30],
    [5, 1_000],
  ])(
    '%d nodes at twice %d a minute let through nearly all of it, and no more',
    async (count, perMinute) => {
      await withinOneMinute();
      const nodes = await startNodes(count);
      const levels = ofIntegration(newKey(), { perMinute });
      const each = Math.ceil((2 * perMinute) / count);
      const reserved = await Promise.all(
        nodes.map(({ limits }) => reserveMany(limits, levels, each)),
      );
      const sum = reserved.reduce((all, one) => all + one, 0);
      expect(sum).toBeLessThanOrEqual(perMinute);
      expect(sum).toBeGreaterThanOrEqual(0.9 * perMinute);
      for (const { counted } of nodes) expect(counted.statements).toBeLessThanOrEqual(21);

      await Promise.all(nodes.map(({ limits }) => reserve(limits, levels)));
      const before = nodes.map(({ counted }) => counted.statements);
      await Promise.all(nodes.map(({ limits }) => reserveMany(limits, levels, 100)));
      const after = nodes.map(({ counted }) => counted.statements);
      expect(after, 'no statement once the minute is spent').toEqual(before);
    },
  );

  it('take a whole batch or nothing', async () => {
    await withinOneMinute();
    const [one, other] = await startPair();
    const levels = ofIntegration(newKey(), { perMinute: 10, concurrent: 100 });
    expect((await reserve(one, levels, 11)).kind).toBe('limited');
    expect((await reserve(one, levels, 8)).kind).toBe('reserved');
    expect((await reserve(other, levels, 3)).kind).toBe('limited');
    expect((await reserve(other, levels, 2)).kind).toBe('reserved');
    expect((await reserve(other, levels)).kind).toBe('limited');
  });

  it('apply another limit at the next request, and count what was used before', async () => {
    await withinOneMinute();
    const [one, other] = await startPair();
    const key = newKey();
    expect(await reserveMany(one, ofIntegration(key, { perMinute: 100 }), 30)).toBe(30);
    expect(await reserveMany(one, ofIntegration(key, { perMinute: 10 }), 10)).toBe(0);
    expect(await reserveMany(other, ofIntegration(key, { perMinute: 40 }), 40)).toBe(10);
  });

  it.each([2, 5])('%d nodes never have more requests in progress than the limit', async (count) => {
    const nodes = await startNodes(count);
    const concurrent = 30;
    const levels = ofIntegration(newKey(), { concurrent });
    const seen = { running: 0, most: 0 };
    const until = performance.now() + 4_000;
    const callAgainAndAgain = async (limits: CallLimits): Promise<void> => {
      while (performance.now() < until) {
        const outcome = await reserve(limits, levels);
        if (isReserved(outcome)) {
          seen.running += 1;
          seen.most = Math.max(seen.most, seen.running);
        }
        await delay(20);
        if (isReserved(outcome)) {
          seen.running -= 1;
          outcome.release();
        }
      }
    };
    const clients = nodes.flatMap(({ limits }) =>
      Array.from({ length: (2 * concurrent) / count }, () => callAgainAndAgain(limits)),
    );
    await Promise.all(clients);
    expect(seen.most).toBeLessThanOrEqual(concurrent);
    expect(seen.most).toBeGreaterThanOrEqual(0.9 * concurrent);
  });

  it('give slots back a moment after their last use', async () => {
    const [one, other] = await startPair();
    const levels = ofIntegration(newKey(), { concurrent: 2 });
    const both = await reserve(one, levels, 2);
    if (isReserved(both)) both.release();
    const releasedAt = performance.now();
    expect((await reserve(one, levels)).kind, 'still has them').toBe('reserved');
    expect((await reserve(other, levels, 2)).kind).toBe('limited');
    await expect.poll(async () => (await reserve(other, levels)).kind).toBe('reserved');
    expect(performance.now() - releasedAt).toBeGreaterThan(1_000);
    expect(performance.now() - releasedAt).toBeLessThan(4_000);
  });

  it('keep a slot for as long as its request lasts, on any number of renewals', async () => {
    const [one, other] = await startPair();
    const levels = ofIntegration(newKey(), { concurrent: 1 });
    const first = await reserve(one, levels);
    expect(first.kind).toBe('reserved');
    const until = performance.now() + 8_000;
    while (performance.now() < until) {
      expect((await reserve(other, levels)).kind).toBe('limited');
      await delay(250);
    }
    if (isReserved(first)) first.release();
    await expect.poll(async () => (await reserve(other, levels)).kind).toBe('reserved');
  });

  it('have the slots of a killed node after five seconds', async () => {
    const [survivor] = await startPair();
    const { kill, store: mortal } = killable(await store.openAnotherNode());
    const killed = createCallLimits({ store: mortal, onError: () => {} });
    onTestFinished(() => killed.close().catch(() => {}));
    const levels = ofIntegration(newKey(), { concurrent: 4 });
    expect((await reserve(killed, levels, 4)).kind).toBe('reserved');
    kill();
    const killedAt = performance.now();
    expect((await reserve(survivor, levels)).kind).toBe('limited');
    await expect
      .poll(async () => (await reserve(survivor, levels, 4)).kind, { timeout: 9_000 })
      .toBe('reserved');
    expect(performance.now() - killedAt).toBeGreaterThan(4_000);
    expect(performance.now() - killedAt).toBeLessThan(7_000);
  });

  it('give all slots back when they end', async () => {
    const [one, other] = await startPair();
    const levels = ofIntegration(newKey(), { concurrent: 3 });
    await reserve(one, levels, 3);
    await one.close();
    expect((await reserve(other, levels, 3)).kind).toBe('reserved');
  });

  it('lower a limit of requests in progress without ending any', async () => {
    const [one, other] = await startPair();
    const key = newKey();
    const running = await reserve(one, ofIntegration(key, { concurrent: 10 }), 6);
    const lowered = ofIntegration(key, { concurrent: 3 });
    expect((await reserve(one, lowered)).kind).toBe('limited');
    expect((await reserve(other, lowered)).kind).toBe('limited');
    if (isReserved(running)) running.release();
    await expect.poll(async () => (await reserve(other, lowered, 3)).kind).toBe('reserved');
    expect((await reserve(one, lowered)).kind).toBe('limited');
  });
});

/** The statements of a store end when it is killed. */
function killable(store: Store) {
  let isKilled = false;
  const statement: Store['statement'] = (changes, make) =>
    isKilled ? Promise.reject(new Error('killed')) : store.statement(changes, make);
  const kill = (): void => {
    isKilled = true;
  };
  return { kill, store: { ...store, statement } };
}
