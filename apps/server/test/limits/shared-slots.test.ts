import { expect, it, onTestFinished } from 'vitest';
import type { LimitStore } from '../../src/limits/limit-store.ts';
import { SharedSlots } from '../../src/limits/shared-slots.ts';
import { useStoppedClock } from '../support/clock.ts';

const clock = useStoppedClock();
const limit = { key: 'key', limit: 40 };

/** A node, and what it has asked the database for. @param free slots that other nodes leave */
function startNode(free = 40) {
  const asked: number[] = [];
  const state = { isAway: false };
  const store: Pick<LimitStore, 'takeSlots' | 'keepSlots'> = {
    async takeSlots(_limit, { used, wanted }) {
      if (state.isAway) throw new Error('away');
      asked.push(wanted);
      return Math.max(used, Math.min(wanted, free));
    },
    async keepSlots(slots) {
      if (state.isAway) throw new Error('away');
      return slots;
    },
  };
  const slots = new SharedSlots({ store, onError: () => {} });
  onTestFinished(() => slots.close().catch(() => {}));
  return { slots, asked, state };
}

/** Takes one, and asks for it once if that is what to do. */
async function take({ slots }: ReturnType<typeof startNode>): Promise<number | 'asks again'> {
  const first = slots.take(limit, 1);
  if (typeof first === 'number') return first;
  await first();
  const second = slots.take(limit, 1);
  return typeof second === 'number' ? second : 'asks again';
}

it('a node asks for a twentieth more than it uses', async () => {
  const node = startNode();
  for (const _ of [1, 2, 3, 4, 5]) expect(await take(node)).toBe(0);
  expect(node.asked).toEqual([2, 4, 6]);
});

it('a slot that was given back is used again without a statement', async () => {
  const node = startNode();
  for (const _ of [1, 2, 3, 4, 5]) {
    expect(await take(node)).toBe(0);
    node.slots.giveBack(limit.key, 1);
  }
  expect(node.asked).toEqual([2]);
});

it('where no slot is free, a node asks again after a second', async () => {
  const node = startNode(1);
  expect(await take(node)).toBe(0);
  expect(await take(node)).toBe(1_000);
  clock.pass(400);
  expect(await take(node)).toBe(600);
  expect(node.asked).toEqual([2]);
  clock.pass(600);
  expect(await take(node)).toBe(1_000);
  expect(node.asked).toEqual([2, 3]);
});

it('while the database is away, a node uses its slots until their lease ends', async () => {
  const node = startNode();
  expect(await take(node)).toBe(0);
  node.state.isAway = true;
  clock.pass(4_900);
  expect(await take(node)).toBe(0);
  node.slots.giveBack(limit.key, 2);
  clock.pass(100);
  await expect(take(node)).rejects.toThrow('away');
});

it('a node with too many keys refuses further ones, and goes on with those that it has', async () => {
  const { slots } = startNode();
  const known = { key: 'known', limit: 40 };
  const asking = slots.take(known, 1);
  if (typeof asking === 'function') await asking();
  for (let index = 1; index < 20_000; index++) slots.take({ key: `${index}`, limit: 40 }, 1);
  const refused = slots.take({ key: 'further', limit: 40 }, 1);
  expect(refused).toBeTypeOf('function');
  if (typeof refused === 'function') {
    await expect(refused()).rejects.toMatchObject({ code: 'overloaded' });
  }
  expect(slots.take(known, 1)).toBe(0);
});
