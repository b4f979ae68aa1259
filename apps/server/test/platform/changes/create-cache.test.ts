import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Change } from '../../../src/platform/changes/changes.ts';
import { createCache, type Loaded } from '../../../src/platform/changes/create-cache.ts';
import { ControlledChanges } from './controlled-changes.ts';

const row: Change = { kind: 'integration', id: 'row' };
const other: Change = { kind: 'application', id: 'row' };

function setUp(maxEntries = 10) {
  const changes = new ControlledChanges();
  return { changes, cache: createCache<string>({ changes, maxEntries }) };
}

function loading(value: string, dependsOn: readonly Change[] = [row]) {
  return vi.fn(async () => ({ value, dependsOn }));
}

/** A load that ends when the test says so. */
function held() {
  let finish = (_: Loaded<string>): void => {};
  const load = () => new Promise<Loaded<string>>((resolve) => (finish = resolve));
  return {
    load: vi.fn(load),
    finish: (value: string) => finish({ value, dependsOn: [row] }),
  };
}

afterEach(() => vi.useRealTimers());

describe('a cache', () => {
  test('loads once and then answers from memory', async () => {
    const { cache } = setUp();
    const load = loading('a');
    expect(cache.peek('key')).toBeUndefined();
    expect(await cache.get('key', load)).toBe('a');
    expect(await cache.get('key', load)).toBe('a');
    expect(cache.peek('key')).toBe('a');
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('drops an entry when one of its rows changes, and no other', async () => {
    const { cache, changes } = setUp();
    await cache.get('changed', loading('a', [other, row]));
    await cache.get('unchanged', loading('b', [other]));
    changes.tell([row]);
    expect(cache.peek('changed')).toBeUndefined();
    expect(cache.peek('unchanged')).toBe('b');
    changes.tell('everything');
    expect(cache.peek('unchanged')).toBeUndefined();
  });

  test('loads once for callers that come at the same time', async () => {
    const { cache } = setUp();
    const { load, finish } = held();
    const answers = [cache.get('key', load), cache.get('key', load), cache.get('key', load)];
    finish('a');
    expect(await Promise.all(answers)).toEqual(['a', 'a', 'a']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('does not keep what was read before its row changed', async () => {
    const { cache, changes } = setUp();
    const { load, finish } = held();
    const first = cache.get('key', load);
    changes.tell([row]);
    finish('old');
    expect(await first).toBe('old');
    expect(cache.peek('key')).toBeUndefined();
  });

  test('does not answer a later caller with what was read before its row changed', async () => {
    const { cache, changes } = setUp();
    const { load, finish } = held();
    const first = cache.get('key', load);
    changes.tell([row]);
    const second = cache.get('key', loading('new'));
    finish('old');
    expect(await first).toBe('old');
    expect(await second).toBe('new');
  });

  test('answers nothing from memory and shares no load while changes may be missed', async () => {
    const { cache, changes } = setUp();
    const load = loading('a');
    await cache.get('key', load);
    changes.fresh = false;
    expect(cache.peek('key')).toBeUndefined();
    await Promise.all([cache.get('key', load), cache.get('key', load)]);
    expect(load).toHaveBeenCalledTimes(3);
    changes.fresh = true;
    expect(cache.peek('key')).toBe('a');
  });

  test('does not answer from a shared load when freshness was lost during it', async () => {
    const { cache, changes } = setUp();
    const { load, finish } = held();
    const first = cache.get('key', load);
    const second = cache.get('key', loading('new'));
    changes.fresh = false;
    finish('old');
    expect(await first).toBe('old');
    expect(await second).toBe('new');
  });

  test('keeps the entries used last', async () => {
    const { cache } = setUp(2);
    await cache.get('a', loading('a'));
    await cache.get('b', loading('b'));
    cache.peek('a');
    await cache.get('c', loading('c'));
    expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual(['a', undefined, 'c']);
  });

  test('drops an entry at its expiry, judged when it is used', async () => {
    vi.useFakeTimers({ now: 1_000, toFake: ['Date'] });
    const { cache } = setUp();
    await cache.get('key', async () => ({ value: 'a', dependsOn: [], expiresAt: 2_000 }));
    vi.setSystemTime(1_999);
    expect(cache.peek('key')).toBe('a');
    vi.setSystemTime(2_000);
    expect(cache.peek('key')).toBeUndefined();
  });

  test('passes on a failed load and tries again at the next call', async () => {
    const { cache } = setUp();
    const failing = cache.get('key', () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    expect(await cache.get('key', loading('a'))).toBe('a');
  });
});
