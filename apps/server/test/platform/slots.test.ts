import { describe, expect, it } from 'vitest';
import { Slots, type Turn } from '../../src/platform/slots.ts';

const refused = new Error('refused');
const refusal = () => refused;

/** Work that ends when `end` is called. */
function hold(slots: Slots, turn?: Turn) {
  let end = () => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  let hasBegun = false;
  const done = slots.run(() => {
    hasBegun = true;
    return work;
  }, turn);
  return { done, end, hasBegun: () => hasBegun };
}

describe('slots', () => {
  it('runs as many tasks as there are slots, the rest in order of arrival', async () => {
    const slots = new Slots({ running: 2, waiting: 10, maxWait: 60_000, refusal });
    const works = Array.from({ length: 4 }, () => hold(slots));
    const begun = () => works.map(({ hasBegun }) => hasBegun());
    expect(begun()).toEqual([true, true, false, false]);
    works[1]?.end();
    await works[1]?.done;
    expect(begun()).toEqual([true, true, true, false]);
    for (const { end, done } of works) {
      end();
      await done;
    }
    expect(await slots.run(async () => 'free')).toBe('free');
  });

  it('leave room for another key, whatever one of them wants', async () => {
    const ofKey = { running: 1, waiting: 2 };
    const slots = new Slots({ running: 2, waiting: 10, ofKey, refusal });
    const greedy = Array.from({ length: 3 }, () => hold(slots, { key: 'greedy' }));
    await expect(hold(slots, { key: 'greedy' }).done).rejects.toBe(refused);
    const other = hold(slots, { key: 'other' });
    const begun = () => [...greedy, other].map(({ hasBegun }) => hasBegun());
    expect(begun()).toEqual([true, false, false, true]);
    other.end();
    await other.done;
    expect(begun()).toEqual([true, false, false, true]);
    for (const { end, done } of greedy) {
      end();
      await done;
    }
    expect(begun()).toEqual([true, true, true, true]);
    const after = [hold(slots, { key: 'greedy' }), hold(slots, { key: 'other' })];
    expect(after.map(({ hasBegun }) => hasBegun())).toEqual([true, true]);
    for (const { end } of after) end();
  });

  it('run tasks of a lower rank first, with room for their key', async () => {
    const ofKey = { running: 1, waiting: 9 };
    const slots = new Slots({ running: 1, waiting: 10, ofKey, refusal });
    const ranks = [9, 2, 1, 2, 0];
    const works = ranks.map((rank, i) => hold(slots, { key: `${i}`, rank }));
    const order = [0, 4, 2, 1, 3];
    for (const [position, at] of order.entries()) {
      const begun = works.map(({ hasBegun }) => hasBegun());
      expect(begun).toEqual(ranks.map((_, i) => order.slice(0, position + 1).includes(i)));
      works[at]?.end();
      await works[at]?.done;
    }
  });

  it('give the place of the last to a task of a lower rank, and refuse one of the same', async () => {
    const slots = new Slots({ running: 1, waiting: 2, refusal });
    const held = hold(slots);
    const first = hold(slots, { key: 'a', rank: 1 });
    const last = hold(slots, { key: 'b', rank: 2 });
    await expect(hold(slots, { key: 'c', rank: 2 }).done).rejects.toBe(refused);
    const before = hold(slots, { key: 'd', rank: 1 });
    await expect(last.done).rejects.toBe(refused);
    for (const work of [held, first, before]) {
      expect(work.hasBegun()).toBe(true);
      work.end();
      await work.done;
    }
    expect(await slots.run(async () => 'free', { key: 'b' })).toBe('free');
  });

  it('pass on when the work fails', async () => {
    const slots = new Slots({ running: 1, waiting: 1, maxWait: 60_000, refusal });
    const failing = slots.run(() => Promise.reject(new Error('no')));
    const next = slots.run(async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('refuse at once when too many wait, and those that wait too long', async () => {
    const slots = new Slots({ running: 1, waiting: 1, maxWait: 50, refusal });
    const first = hold(slots);
    const waiting = slots.run(async () => undefined);
    await expect(slots.run(async () => undefined)).rejects.toBe(refused);
    await expect(waiting).rejects.toBe(refused);
    first.end();
    await first.done;
    expect(await slots.run(async () => 'free')).toBe('free');
  });
});
