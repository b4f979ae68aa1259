import { describe, expect, it } from 'vitest';
import { isApiError } from '../src/index.ts';
import { fakeClock } from './support/clock.ts';
import { operations } from './support/operations.ts';
import { rejection } from './support/rejection.ts';
import { json, problem, startServer, type TestServer } from './support/server.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** A server that fails the first requests in a way, and answers the others. */
function failing(times: number, status: number, headers: Record<string, string> = {}) {
  const server: Promise<TestServer> = startServer(async (response) => {
    if ((await server).received.length <= times) json(response, status, {}, headers);
    else json(response, 200, { items: [], nextCursor: null });
  });
  return server;
}

const keysOf = ({ received }: TestServer) =>
  received.map(({ headers }) => headers['idempotency-key']);

describe('a failed request', () => {
  it.each([408, 429, 500, 502, 503, 504])('of status %d is repeated twice', async (status) => {
    const clock = fakeClock();
    const server = await failing(2, status);
    await server.client({ clock, maxRetries: undefined }).me();
    expect(server.received).toHaveLength(3);
    expect(clock.sleeps).toEqual([500, 1000]);
  });

  it('is given up after the third time, with the last error', async () => {
    const clock = fakeClock();
    const server = await failing(9, 503);
    const error = await rejection(server.client({ clock, maxRetries: undefined }).me());
    expect(error).toMatchObject({ name: 'ServerError', status: 503 });
    expect(server.received).toHaveLength(3);
  });

  it('is repeated after random waits', async () => {
    const clock = fakeClock(0.5);
    const server = await failing(2, 503);
    await server.client({ clock, maxRetries: 2 }).me();
    expect(clock.sleeps).toEqual([250, 500]);
  });

  it('is repeated as often as the client says, and the call over it', async () => {
    const server = await failing(9, 503);
    const client = server.client({ clock: fakeClock(), maxRetries: 4 });
    await rejection(client.me());
    expect(server.received.splice(0)).toHaveLength(5);
    await rejection(client.me({ maxRetries: 1 }));
    expect(server.received.splice(0)).toHaveLength(2);
    await rejection(client.me({ maxRetries: 0 }));
    expect(server.received).toHaveLength(1);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'cannot be repeated %d times',
    async (maxRetries) => {
      const server = await failing(0, 503);
      expect(() => server.client({ maxRetries })).toThrow(/maxRetries/);
      const error = await rejection(server.client().me({ maxRetries }));
      expect(error.name).toBe('InvalidArgumentError');
    },
  );

  it('of status 409 is repeated while the first one with its key runs, not otherwise', async () => {
    const codes = ['idempotency_in_progress', 'archived'];
    const server: TestServer = await startServer((response) =>
      problem(response, 409, codes[server.received.length - 1] ?? 'late'),
    );
    const client = server.client({ clock: fakeClock(), maxRetries: 2 });
    const error = await rejection(client.applications.update('a1', { name: 'A' }));
    expect(error).toMatchObject({ code: 'archived' });
    expect(server.received).toHaveLength(2);
  });
});

describe('each method', () => {
  const mayNotRepeat = ['integrations.validate'];

  it.each(operations)('$name is repeated only if that is safe', async ({ name, call, request }) => {
    const server: TestServer = await startServer((response) => {
      if (server.received.length === 1) response.destroy();
      else json(response, 200, { items: [], nextCursor: null });
    });
    const result = call(server.client({ clock: fakeClock(), maxRetries: 2 }));
    if (mayNotRepeat.includes(name)) {
      expect(await rejection(result)).toMatchObject({ name: 'ConnectionError' });
      expect(server.received).toHaveLength(1);
      return;
    }
    await result;
    expect(server.received).toHaveLength(2);
    const [first, second] = server.received;
    expect(second).toMatchObject({ target: first?.target, body: first?.body });
    const [key, again] = keysOf(server);
    expect(again).toBe(key);
    if (request.startsWith('GET')) expect(key).toBeUndefined();
    else expect(key).toMatch(UUID);
  });

  it('validate, which has no key, is repeated after a 429: nothing was done', async () => {
    const limited = await failing(1, 429);
    await limited.client({ clock: fakeClock(), maxRetries: 2 }).integrations.validate('i1');
    expect(limited.received).toHaveLength(2);
    const broken = await failing(1, 503);
    const client = broken.client({ clock: fakeClock(), maxRetries: 2 });
    await rejection(client.integrations.validate('i1'));
    expect(broken.received).toHaveLength(1);
  });

  it.each([404, 412])(
    'a write that gets a %d after a lost response says that it may have succeeded',
    async (status) => {
      const server: TestServer = await startServer((response) => {
        if (server.received.length === 1) response.destroy();
        else problem(response, status, 'some_code');
      });
      const client = server.client({ clock: fakeClock(), maxRetries: 1 });
      const error = await rejection(client.integrations.archive('i1'));
      expect(error).toMatchObject({ status, hasLostAttempt: true });
      expect(error.message).toMatch(/An earlier attempt was sent, and may have succeeded\.$/);
      const again = await rejection(client.integrations.archive('i1'));
      expect(again).toMatchObject({ status, hasLostAttempt: false });
      expect(again.message).not.toContain('earlier');
    },
  );

  it('a read that gets a 404 after a lost response does not mention an earlier attempt', async () => {
    const server: TestServer = await startServer((response) => {
      if (server.received.length === 1) response.destroy();
      else problem(response, 404, 'not_found');
    });
    const client = server.client({ clock: fakeClock(), maxRetries: 1 });
    const error = await rejection(client.integrations.get('i1'));
    expect(error).toMatchObject({ status: 404, hasLostAttempt: false });
  });

  it("takes a new key for each call, or the caller's", async () => {
    const server = await failing(0, 503);
    const client = server.client();
    await client.applications.rotateSecret('a1');
    await client.applications.rotateSecret('a1');
    await client.applications.rotateSecret('a1', { idempotencyKey: 'mine' });
    const [first, second, third] = keysOf(server);
    expect(first).toMatch(UUID);
    expect(second).toMatch(UUID);
    expect(second).not.toBe(first);
    expect(third).toBe('mine');
  });
});

describe('Retry-After', () => {
  it('in seconds is waited for, if it is longer than the backoff', async () => {
    const clock = fakeClock();
    const server = await failing(1, 429, { 'retry-after': '7' });
    await server.client({ clock, maxRetries: 2 }).me();
    expect(clock.sleeps).toEqual([7000]);
  });

  it('as a date is waited for', async () => {
    const clock = fakeClock();
    const date = new Date(clock.now() + 9000).toUTCString();
    const server = await failing(1, 503, { 'retry-after': date });
    await server.client({ clock, maxRetries: 2 }).me();
    expect(clock.sleeps).toEqual([9000]);
  });

  it('shorter than the backoff does not shorten it', async () => {
    const clock = fakeClock();
    const server = await failing(2, 503, { 'retry-after': '0' });
    await server.client({ clock, maxRetries: 2 }).me();
    expect(clock.sleeps).toEqual([500, 1000]);
  });

  it('longer than the timeout fails at once, and stands on the error', async () => {
    const clock = fakeClock();
    const server = await failing(9, 429, { 'retry-after': '31' });
    const error = await rejection(server.client({ clock, maxRetries: 2 }).me());
    expect(isApiError(error) && error.retryAfter).toBe(31_000);
    expect(clock.sleeps).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it('within a longer totalTimeout is waited for', async () => {
    const clock = fakeClock();
    const server = await failing(1, 429, { 'retry-after': '31' });
    await server.client({ clock, maxRetries: 2 }).me({ totalTimeout: 60_000 });
    expect(clock.sleeps).toEqual([31_000]);
  });

  it('longer than the time left fails at once', async () => {
    const clock = fakeClock();
    const server = await failing(9, 429, { 'retry-after': '6' });
    const client = server.client({ clock, maxRetries: 2, totalTimeout: 10_000 });
    const error = await rejection(client.me());
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfter: 6000 });
    expect(clock.sleeps).toEqual([6000]);
    expect(server.received).toHaveLength(2);
  });
});
