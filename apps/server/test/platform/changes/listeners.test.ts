import { describe, expect, it, vi } from 'vitest';
import type { Change } from '../../../src/platform/changes/changes.ts';
import { createCache } from '../../../src/platform/changes/create-cache.ts';
import { LocalChanges } from '../../../src/platform/changes/local-changes.ts';

const row: Change = { kind: 'integration', id: 'row' };

describe('a committed change', () => {
  it('has left every cache before anything reacts to it, in whatever order they subscribed', async () => {
    const changes = new LocalChanges();
    const found: (string | undefined)[] = [];
    const react = () => found.push(first.peek('key'), last.peek('key'));
    const first = createCache<string>({ changes, maxEntries: 1 });
    changes.subscribe({ react });
    const last = createCache<string>({ changes, maxEntries: 1 });
    const load = async () => ({ value: 'stale', dependsOn: [row] });
    expect([await first.get('key', load), await last.get('key', load)]).toEqual(['stale', 'stale']);
    changes.prepare([row]).committed();
    expect(found).toEqual([undefined, undefined]);
  });

  it('reaches the others when one subscriber throws', () => {
    const thrown = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
    const changes = new LocalChanges();
    const heard = vi.fn();
    const fail = () => {
      throw new Error('a subscriber that fails');
    };
    changes.subscribe({ drop: fail });
    changes.subscribe({ react: fail });
    changes.subscribe({ react: heard });
    changes.prepare([row]).committed();
    expect(heard).toHaveBeenCalledExactlyOnceWith([row]);
    expect(thrown).toHaveBeenCalledTimes(2);
    thrown.mockRestore();
  });

  it('reaches a function once for each of its subscriptions', () => {
    const changes = new LocalChanges();
    const react = vi.fn();
    const stop = changes.subscribe({ react });
    changes.subscribe({ react });
    changes.prepare([row]).committed();
    stop();
    changes.prepare([row]).committed();
    expect(react).toHaveBeenCalledTimes(3);
  });
});
