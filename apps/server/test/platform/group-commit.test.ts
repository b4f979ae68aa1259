import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../src/platform/group-commit.ts';

/** A database with writes that the test completes. */
function open(batchSize = 100) {
  const batches: (readonly string[])[] = [];
  const running: {
    batch: readonly string[];
    end(written?: readonly string[]): void;
    fail(error: Error): void;
  }[] = [];
  const group = new GroupCommit<string>({
    batchSize,
    write: (batch) => {
      batches.push(batch);
      return new Promise((resolve, reject) => {
        const end = (written = batch) => resolve(new Set(written));
        running.push({ batch, end, fail: reject });
      });
    },
  });
  /** The write that is running, once there is one. */
  const next = async () => {
    await expect.poll(() => running.length).toBe(1);
    return running.splice(0)[0] as (typeof running)[number];
  };
  return { group, batches, next };
}

describe('writes of the same moment', () => {
  it('are one batch, and each caller gets its own result', async () => {
    const { group, batches, next } = open();
    const added = ['a', 'b', 'c'].map((item) => group.add(item));
    (await next()).end(['a', 'c']);
    expect(await Promise.all(added)).toEqual([true, false, true]);
    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  it('wait for the batch that is running, and are the next', async () => {
    const { group, batches, next } = open();
    const first = group.add('a');
    const running = await next();
    const others = ['b', 'c'].map((item) => group.add(item));
    await delay(20);
    expect(batches).toEqual([['a']]);
    running.end();
    expect(await first).toBe(true);
    (await next()).end();
    expect(await Promise.all(others)).toEqual([true, true]);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('are several batches when they are too many for one', async () => {
    const { group, batches, next } = open(2);
    const added = ['a', 'b', 'c'].map((item) => group.add(item));
    (await next()).end();
    (await next()).end();
    expect(await Promise.all(added)).toEqual([true, true, true]);
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  it('fail together, and those after them are written', async () => {
    const { group, next } = open();
    const failing = ['a', 'b'].map((item) => group.add(item));
    const running = await next();
    const after = group.add('c');
    running.fail(new Error('away'));
    for (const result of await Promise.allSettled(failing)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'away' } });
    }
    (await next()).end();
    expect(await after).toBe(true);
  });
});
