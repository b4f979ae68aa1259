import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFetchBudget } from '../../../src/authorization-server/clients/dynamic/fetch-budget.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<undefined>(() => {});
const succeed = async () => 'fetched';
const fail = async () => undefined;
/** A fetch that connects to these addresses, if it may. */
const at =
  (addresses: readonly string[], { ends = succeed as () => Promise<string | undefined> } = {}) =>
  async (admit: (addresses: readonly string[]) => boolean) =>
    admit(addresses) ? ends() : undefined;
/** A caller in a network where no other is. */
const callerOf = (n: number) => `10.${n >> 8}.${n & 255}.1`;
const attacker = callerOf(701);
const person = callerOf(702);
const a = callerOf(703);
const b = callerOf(704);
const c = callerOf(705);
const urlOf = (host: number, path = 0) => `https://host-${host}.example/${path}`;

describe('fetches of strangers', () => {
  it('that do not end leave room for those of another caller', async () => {
    const { run } = createFetchBudget();
    for (let host = 0; host < 20; host += 1) void run(urlOf(host), attacker, never);
    expect(await run(urlOf(100), person, succeed)).toBe('fetched');
    expect(await run(urlOf(101), attacker, succeed)).toBeUndefined();
  });

  it('reach one host twice at a time, from any callers', async () => {
    const { run } = createFetchBudget();
    void run(urlOf(1, 1), a, never);
    void run(urlOf(1, 2), b, never);
    expect(await run(urlOf(1, 3), c, succeed)).toBeUndefined();
    expect(await run(urlOf(2), c, succeed)).toBe('fetched');
  });

  it('reach one host 30 times a minute', async () => {
    const { run } = createFetchBudget();
    const count = async () => {
      let fetched = 0;
      for (let path = 0; path < 280; path += 1) {
        if ((await run(urlOf(1, path), callerOf(path), succeed)) !== undefined) fetched += 1;
      }
      return fetched;
    };
    expect(await count()).toBe(30);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await count()).toBe(30);
  });

  it('count for the host, whatever the port', async () => {
    const { run } = createFetchBudget();
    void run('https://victim.example:1/', a, never);
    void run('https://victim.example:2/', b, never);
    expect(await run('https://victim.example:3/', c, succeed)).toBeUndefined();
  });

  it('reach one address 60 times a minute, whatever the names that lead there', async () => {
    const { run } = createFetchBudget();
    const count = async (addressOf: (i: number) => string) => {
      let fetched = 0;
      for (let i = 0; i < 150; i += 1) {
        if (await run(urlOf(i), callerOf(i), at([addressOf(i)]))) fetched += 1;
      }
      return fetched;
    };
    expect(await count(() => '192.0.2.1')).toBe(60);
    expect(await count((i) => `2001:db8::${i}`)).toBe(60);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await count(() => '::ffff:192.0.2.1')).toBe(60);
  });

  it('that fail at an address count there twice', async () => {
    const { run } = createFetchBudget();
    const fetch = vi.fn(fail);
    for (let i = 0; i < 150; i += 1) {
      await run(urlOf(i), callerOf(i), at(['192.0.2.1'], { ends: fetch }));
    }
    expect(fetch).toHaveBeenCalledTimes(30);
  });

  it('reach one address eight times at a time', async () => {
    const { run } = createFetchBudget();
    const fetch = vi.fn(never);
    for (let i = 0; i < 20; i += 1) {
      void run(urlOf(i), callerOf(i), at(['192.0.2.1', `198.51.100.${i}`], { ends: fetch }));
    }
    expect(fetch).toHaveBeenCalledTimes(8);
    expect(await run(urlOf(20), a, at(['198.51.100.19']))).toBe('fetched');
  });

  it('of one caller leave a part of an address to others, at a time and in a minute', async () => {
    const { run } = createFetchBudget();
    const slow = vi.fn(never);
    for (let i = 0; i < 3; i += 1) void run(urlOf(i), attacker, at(['192.0.2.1'], { ends: slow }));
    expect(slow).toHaveBeenCalledTimes(2);
    expect(await run(urlOf(3), person, at(['192.0.2.1']))).toBe('fetched');
    const fetched = [];
    for (let i = 10; i < 30; i += 1) {
      fetched.push(await run(urlOf(i), c, at(['192.0.2.2'])));
    }
    expect(fetched.filter(Boolean)).toHaveLength(10);
    expect(await run(urlOf(30), person, at(['192.0.2.2']))).toBe('fetched');
  });

  it('that an address has no room for are no failures of their URL', async () => {
    const { run } = createFetchBudget();
    for (const i of [0, 1]) void run(urlOf(i), a, at(['192.0.2.1'], { ends: never }));
    expect(await run(urlOf(2), a, at(['192.0.2.1']))).toBeUndefined();
    expect(await run(urlOf(2), b, at(['192.0.2.1']))).toBe('fetched');
  });

  it('do not dial the addresses of a host that has more than sixteen', async () => {
    const { run } = createFetchBudget();
    const addresses = Array.from({ length: 17 }, (_, i) => `192.0.2.${i}`);
    expect(await run(urlOf(1), a, at(addresses))).toBeUndefined();
    expect(await run(urlOf(1), a, at(addresses.slice(1)))).toBe('fetched');
  });

  it('of one caller leave a part of a host to others, at a time and in a minute', async () => {
    const { run } = createFetchBudget();
    void run(urlOf(1, 1), attacker, never);
    expect(await run(urlOf(1, 2), attacker, succeed)).toBeUndefined();
    expect(await run(urlOf(1, 3), person, succeed)).toBe('fetched');
    const fetched = [];
    for (let path = 0; path < 40; path += 1) {
      fetched.push(await run(urlOf(2, path), attacker, succeed));
    }
    expect(fetched.filter(Boolean)).toHaveLength(10);
    expect(await run(urlOf(2, 50), person, succeed)).toBe('fetched');
  });

  it('of one caller are 30 a minute, whatever hosts they reach, and of all callers 600', async () => {
    const { run } = createFetchBudget();
    const count = async (source: (host: number) => string) => {
      let fetched = 0;
      for (let host = 0; host < 700; host += 1) {
        if ((await run(urlOf(host), source(host), succeed)) !== undefined) fetched += 1;
      }
      return fetched;
    };
    expect(await count(() => attacker)).toBe(30);
    expect(await count((host) => callerOf(host))).toBe(570);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await count((host) => callerOf(host))).toBe(600);
  });

  it('of one IPv6 network of 48 bits leave most to others, whatever part of it they come from', async () => {
    const { run } = createFetchBudget();
    const subnetOf = (n: number) => `2001:db8:1:${n.toString(16)}::`;
    const count = async (urlFor: (n: number) => string) => {
      let fetched = 0;
      for (let n = 0; n < 700; n += 1) {
        if (await run(urlFor(n), subnetOf(n), at([`192.0.2.${n % 100}`]))) fetched += 1;
      }
      return fetched;
    };
    expect(await count((n) => urlOf(1, n))).toBe(15);
    expect(await run(urlOf(1), person, succeed)).toBe('fetched');
    expect(await count((n) => urlOf(n + 10))).toBe(135);
    expect(await run(urlOf(9), person, succeed)).toBe('fetched');
  });

  it('of one network leave half of an address to others', async () => {
    const { run } = createFetchBudget();
    let fetched = 0;
    for (let n = 0; n < 100; n += 1) {
      if (await run(urlOf(n), `198.51.100.${n}`, at(['192.0.2.1']))) fetched += 1;
    }
    expect(fetched).toBe(30);
    expect(await run(urlOf(100), person, at(['192.0.2.1']))).toBe('fetched');
  });

  it('that were given up count until their connections are over', async () => {
    const { run } = createFetchBudget();
    const giveUp = () =>
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 5_000));
    const given = [run(urlOf(1, 1), a, giveUp), run(urlOf(1, 2), b, giveUp)];
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(given);
    expect(await run(urlOf(1, 3), c, succeed)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await run(urlOf(1, 3), c, succeed)).toBe('fetched');
  });

  it('that are refused count for nothing', async () => {
    const { run } = createFetchBudget();
    for (let path = 0; path < 700; path += 1) await run(urlOf(1, path), attacker, succeed);
    for (let host = 2; host < 21; host += 1) {
      expect(await run(urlOf(host), attacker, succeed)).toBe('fetched');
    }
  });

  it('that failed are repeated after a minute, then after two, and after an hour at most', async () => {
    const { run } = createFetchBudget();
    const fetch = vi.fn(fail);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      const calls = fetch.mock.calls.length;
      let minutes = 0;
      while (fetch.mock.calls.length === calls) {
        await run(urlOf(1), a, fetch);
        if (fetch.mock.calls.length > calls) break;
        minutes += 1;
        await vi.advanceTimersByTimeAsync(60_000);
      }
      waits.push(minutes);
    }
    expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('start afresh after a success', async () => {
    const { run } = createFetchBudget();
    await run(urlOf(1), a, fail);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await run(urlOf(1), a, succeed)).toBe('fetched');
    await run(urlOf(1), a, fail);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await run(urlOf(1), a, succeed)).toBe('fetched');
  });
});
