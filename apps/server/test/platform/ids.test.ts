import { afterEach, describe, expect, test, vi } from 'vitest';
import { createId, smallestIdAt } from '../../src/platform/ids.ts';

afterEach(() => vi.useRealTimers());

function millisecondsIn(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

describe('createId', () => {
  test('makes a UUID of version 7 that carries the instant it is given with', () => {
    const before = Date.now();
    const { id, createdAt } = createId();
    const after = Date.now();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(millisecondsIn(id)).toBe(createdAt.getTime());
    expect(createdAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(createdAt.getTime()).toBeLessThan(after + 1_000);
  });

  test('makes ids in the order of the calls, even within one millisecond', () => {
    const made = Array.from({ length: 20_000 }, createId);
    const ids = made.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, createdAt } of made) expect(millisecondsIn(id)).toBe(createdAt.getTime());
  });

  test('keeps the order when the clock goes back', () => {
    const before = createId();
    vi.useFakeTimers({ now: before.createdAt.getTime() - 60_000, toFake: ['Date'] });
    const after = createId();
    expect(after.id > before.id).toBe(true);
    expect(after.createdAt.getTime()).toBeGreaterThanOrEqual(before.createdAt.getTime());
  });

  test('does not give away the next id', () => {
    const tails = Array.from({ length: 1_000 }, () => createId().id.slice(19));
    expect(new Set(tails).size).toBe(1_000);
  });
});

test('smallestIdAt parts the ids of before from those of this time', () => {
  const before = createId();
  let after = createId();
  while (after.createdAt <= before.createdAt) after = createId();
  const between = smallestIdAt(after.createdAt.getTime());
  expect([after.id, between, before.id].toSorted()).toEqual([before.id, between, after.id]);
});
