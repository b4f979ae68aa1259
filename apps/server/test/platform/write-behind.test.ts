import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WriteBehind, type WriteBehindOptions } from '../../src/platform/write-behind.ts';

const INTERVAL = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What the database does with one batch: writes it, skips some of its keys, or fails. */
type Response = { readonly skips?: readonly string[]; readonly fails?: Error };

function open(options: Partial<WriteBehindOptions<string>> = {}) {
  const batches: [string, string][][] = [];
  const errors: unknown[] = [];
  const responses: Promise<Response>[] = [];
  const writer = new WriteBehind<string>({
    interval: INTERVAL,
    batchSize: 100,
    maxWaiting: 100,
    async write(batch) {
      batches.push([...batch]);
      const { skips = [], fails } = (await responses.shift()) ?? {};
      if (fails !== undefined) throw fails;
      return new Set(skips);
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => writer.close().catch(() => undefined));
  return {
    writer,
    batches,
    errors,
    /** The next writes end like this, in this order; those after them succeed. */
    respond: (...next: Response[]) => void responses.push(...next.map((r) => Promise.resolve(r))),
    /** The next write ends when the returned function is called. */
    hold(): (response?: Response) => void {
      let release = (_: Response): void => {};
      responses.push(new Promise((resolve) => (release = resolve)));
      return (response = {}) => release(response);
    },
    addAll: (...keys: string[]) => {
      for (const key of keys) writer.add(key, `${key}1`);
    },
    pass: () => vi.advanceTimersByTimeAsync(INTERVAL),
  };
}

const AWAY = new Error('away');

describe('a writer', () => {
  it('writes what was added at the next interval, and nothing while nothing waits', async () => {
    const { batches, pass, addAll } = open();
    await pass();
    expect(batches).toEqual([]);
    addAll('a', 'b');
    await vi.advanceTimersByTimeAsync(INTERVAL - 1);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toEqual([
      [
        ['a', 'a1'],
        ['b', 'b1'],
      ],
    ]);
    await pass();
    expect(batches).toHaveLength(1);
  });

  it('writes the newest value of a key, once', async () => {
    const { writer, batches, pass, addAll } = open();
    addAll('a', 'b');
    writer.add('a', 'a2');
    await pass();
    expect(batches).toEqual([
      [
        ['a', 'a2'],
        ['b', 'b1'],
      ],
    ]);
  });

  it('writes no more than a batch at once, in the order of the additions', async () => {
    const { batches, pass, addAll } = open({ batchSize: 2 });
    addAll('a', 'b', 'c', 'd', 'e');
    await pass();
    expect(keysOf(batches)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('collects what is due before each write', async () => {
    const due = ['a', 'b'];
    const { writer, batches, pass } = open({
      collect: () => {
        const key = due.shift();
        if (key !== undefined) writer.add(key, key);
      },
    });
    await pass();
    await writer.flush();
    await pass();
    expect(keysOf(batches)).toEqual([['a'], ['b']]);
  });

  it('has a key until its value is being written', async () => {
    const { writer, hold, addAll } = open();
    addAll('a');
    expect([writer.has('a'), writer.has('b')]).toEqual([true, false]);
    const release = hold();
    const flushed = writer.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(writer.has('a')).toBe(false);
    release();
    await flushed;
  });
});

describe('a failed write', () => {
  it('is reported, and tried again at the next interval', async () => {
    const { batches, errors, respond, pass, addAll } = open();
    respond({ fails: AWAY }, { fails: AWAY });
    addAll('a', 'b');
    await pass();
    await pass();
    expect(errors).toEqual([AWAY, AWAY]);
    await pass();
    expect(keysOf(batches)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    await pass();
    expect(batches).toHaveLength(3);
  });

  it('does not replace a value that was added meanwhile, and stays before it', async () => {
    const { writer, batches, hold, pass, addAll } = open();
    const release = hold();
    addAll('a', 'b');
    await pass();
    writer.add('c', 'c1');
    writer.add('b', 'b2');
    release({ fails: AWAY });
    await pass();
    expect(batches[1]).toEqual([
      ['a', 'a1'],
      ['b', 'b2'],
      ['c', 'c1'],
    ]);
  });

  it('leaves the batches after it for the next one', async () => {
    const { batches, respond, pass, addAll } = open({ batchSize: 1 });
    respond({}, { fails: AWAY });
    addAll('a', 'b', 'c');
    await pass();
    await pass();
    expect(keysOf(batches)).toEqual([['a'], ['b'], ['b'], ['c']]);
  });

  it('is thrown by the flush that made it, and not reported as well', async () => {
    const { writer, batches, errors, respond, addAll } = open();
    respond({ fails: AWAY });
    addAll('a');
    await expect(writer.flush()).rejects.toBe(AWAY);
    await writer.flush();
    expect(keysOf(batches)).toEqual([['a'], ['a']]);
    expect(errors).toEqual([]);
  });
});

describe('a skipped key', () => {
  it('waits for the next write, in any batch', async () => {
    const { batches, errors, respond, pass, addAll } = open({ batchSize: 2 });
    respond({ skips: ['a'] }, { skips: ['c'] });
    addAll('a', 'b', 'c');
    await pass();
    await pass();
    expect(keysOf(batches)).toEqual([['a', 'b'], ['c'], ['a', 'c']]);
    expect(errors).toEqual([]);
  });

  it('does not replace a value that was added meanwhile', async () => {
    const { writer, batches, hold, pass, addAll } = open();
    const release = hold();
    addAll('a');
    await pass();
    writer.add('a', 'a2');
    release({ skips: ['a'] });
    await pass();
    expect(batches[1]).toEqual([['a', 'a2']]);
  });
});

describe('a write that takes long', () => {
  it('is not overtaken by the timer, nor by a flush', async () => {
    const { writer, batches, hold, pass, addAll } = open();
    const release = hold();
    addAll('a');
    await pass();
    addAll('b');
    await pass();
    await pass();
    const flushed = writer.flush();
    await pass();
    expect(keysOf(batches)).toEqual([['a']]);
    release();
    await flushed;
    expect(keysOf(batches)).toEqual([['a'], ['b']]);
  });
});

describe('the values that wait', () => {
  it('are bounded: those beyond are lost and counted, and reported with the next write', async () => {
    const { writer, batches, errors, pass, addAll } = open({ maxWaiting: 2 });
    addAll('a', 'b', 'c', 'd');
    writer.add('a', 'a2');
    expect(writer.lost).toBe(2);
    expect(errors).toEqual([]);
    await pass();
    expect(batches).toEqual([
      [
        ['a', 'a2'],
        ['b', 'b1'],
      ],
    ]);
    expect(errors).toMatchObject([{ name: 'LostWritesError', count: 2 }]);
    addAll('a', 'b', 'c');
    await pass();
    expect(writer.lost).toBe(3);
    expect(errors[1]).toMatchObject({ name: 'LostWritesError', count: 1 });
  });

  it('are bounded together with those of a failed write, which stay first', async () => {
    const { writer, batches, errors, hold, pass, addAll } = open({ maxWaiting: 3 });
    const release = hold();
    addAll('a', 'b');
    await pass();
    addAll('c', 'd', 'a');
    release({ fails: AWAY });
    await pass();
    expect(keysOf(batches)).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
    expect(writer.lost).toBe(1);
    expect(errors).toMatchObject([{ name: 'LostWritesError', count: 1 }, AWAY]);
  });
});

describe('closing', () => {
  it('writes what waits, after the write that is running, and stops', async () => {
    const { writer, batches, hold, pass, addAll } = open({ batchSize: 2 });
    const release = hold();
    addAll('a');
    await pass();
    addAll('b', 'c', 'd');
    const closed = writer.close();
    release();
    await closed;
    expect(keysOf(batches)).toEqual([['a'], ['b', 'c'], ['d']]);
    await pass();
    expect(batches).toHaveLength(3);
    expect(writer.lost).toBe(0);
  });

  it('tries once: what fails then is lost, counted and reported', async () => {
    const { writer, batches, errors, respond, pass, addAll } = open({ batchSize: 2 });
    respond({}, { fails: AWAY });
    addAll('a', 'b', 'c', 'd', 'e');
    await expect(writer.close()).rejects.toBe(AWAY);
    expect(keysOf(batches)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(writer.lost).toBe(3);
    expect(errors).toMatchObject([{ name: 'LostWritesError', count: 3 }]);
    await pass();
    expect(batches).toHaveLength(2);
  });

  it('leaves values to another writer without losing them', async () => {
    const { writer, errors, respond, addAll } = open();
    respond({ skips: ['b'] });
    addAll('a', 'b');
    await writer.close();
    expect(writer.lost).toBe(0);
    expect(errors).toEqual([]);
  });

  it('runs once, with the same outcome for every caller', async () => {
    const { writer, batches, errors, respond, addAll } = open();
    respond({ fails: AWAY });
    addAll('a');
    const closing = [writer.close(), writer.close()];
    for (const closed of closing) await expect(closed).rejects.toBe(AWAY);
    await expect(writer.close()).rejects.toBe(AWAY);
    expect(batches).toHaveLength(1);
    expect(errors).toHaveLength(1);
  });

  it('is the end: what is added later is lost', async () => {
    const collect = vi.fn();
    const { writer, batches, addAll } = open({ collect });
    await writer.close();
    expect(collect).toHaveBeenCalledTimes(1);
    addAll('a');
    await writer.flush();
    expect(batches).toEqual([]);
    expect(collect).toHaveBeenCalledTimes(1);
    expect(writer.lost).toBe(1);
  });
});

function keysOf(batches: readonly (readonly (readonly [string, string])[])[]): string[][] {
  return batches.map((batch) => batch.map(([key]) => key));
}
