import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { type Fetch, Gatehouse } from '../src/index.ts';
import { fakeClock } from './support/clock.ts';
import { rejection } from './support/rejection.ts';
import { json, startServer, type TestServer } from './support/server.ts';
import { fakeTimeouts, fetchWithSlowBody } from './support/timers.ts';

const never: Fetch = () => new Promise(() => {});

describe('the timeout', () => {
  it('ends a request that gets no answer', async () => {
    const server = await startServer(() => {});
    const error = await rejection(server.client({ timeout: 50 }).me());
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout', timeout: 50 });
  });

  it('of an attempt is followed by another attempt, with the same key', async () => {
    const server: TestServer = await startServer((response) => {
      if (server.received.length > 1) json(response, 200, {});
    });
    const client = server.client({ clock: fakeClock(), timeout: 50, maxRetries: 1 });
    await client.applications.update('a1', { name: 'A' });
    const [first, second] = server.received.map(({ headers }) => headers['idempotency-key']);
    expect([server.received.length, second]).toEqual([2, first]);
  });

  it('of an attempt ends a call that may not be repeated', async () => {
    const server = await startServer(() => {});
    const client = server.client({ clock: fakeClock(), timeout: 50, maxRetries: 1 });
    const error = await rejection(client.integrations.validate('i1'));
    expect(error).toMatchObject({ name: 'TimeoutError', timeout: 50 });
    expect(server.received).toHaveLength(1);
  });

  it('is 30 s by default', async () => {
    vi.useFakeTimers();
    try {
      const defaults = { baseUrl: 'http://127.0.0.1', accessToken: 'gh_pat_test' };
      const options = { ...defaults, fetch: never, maxRetries: 0 };
      let isOver = false;
      const call = rejection(new Gatehouse(options).me()).finally(() => {
        isOver = true;
      });
      await vi.advanceTimersByTimeAsync(29_999);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isOver).toBe(true);
      expect(await call).toMatchObject({ name: 'TimeoutError', timeout: 30_000 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends a request with a body that stalls, and closes its connection', async () => {
    fakeTimeouts();
    let onClose = () => {};
    const connectionClosed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const server = await startServer((response) => {
      response.on('close', onClose);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"user":');
    });
    const client = server.client({ timeout: 400, fetch: fetchWithSlowBody(400) });
    const error = await rejection(client.me());
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout' });
    await connectionClosed;
  });

  it('of the call wins over that of the client', async () => {
    const server = await startServer(() => {});
    const error = await rejection(server.client().me({ timeout: 20 }));
    expect(error).toMatchObject({ name: 'TimeoutError', timeout: 20 });
  });

  it('holds with a fetch that ignores its signal', async () => {
    const server = await startServer(() => {});
    const error = await rejection(server.client({ fetch: never }).me({ timeout: 20 }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'of %d is refused, because a timer would fire at once or never',
    async (timeout) => {
      const server = await startServer((response) => json(response, 200, {}));
      expect(() => server.client({ timeout })).toThrow(/timeout/);
      const error = await rejection(server.client().me({ timeout }));
      expect(error).toMatchObject({ name: 'InvalidArgumentError' });
      expect(server.received).toHaveLength(0);
    },
  );
});

describe('the total timeout', () => {
  it('ends an attempt that has less time left than its own timeout', async () => {
    fakeTimeouts();
    const clock = fakeClock();
    const server: TestServer = await startServer((response) => {
      // What is left after the first attempt and the wait of 500 ms.
      if (server.received.length > 1) return void vi.advanceTimersByTime(20);
      clock.pass(9_480);
      json(response, 503, {});
    });
    const client = server.client({ clock, maxRetries: 2, totalTimeout: 10_000 });
    const error = await rejection(client.me());
    expect(error).toMatchObject({ name: 'TimeoutError', timeout: 10_000 });
    expect(server.received).toHaveLength(2);
  });

  it('lets no wait begin that would not end before it', async () => {
    const clock = fakeClock();
    const server = await startServer((response) => json(response, 503, {}));
    const error = await rejection(server.client({ clock, maxRetries: 9, totalTimeout: 2000 }).me());
    expect(error).toMatchObject({ name: 'ServerError' });
    expect(clock.sleeps).toEqual([500, 1000]);
  });

  it('of the call wins over that of the client', async () => {
    const server = await startServer(() => {});
    const client = server.client({ totalTimeout: 60_000 });
    const error = await rejection(client.me({ totalTimeout: 20 }));
    expect(error).toMatchObject({ name: 'TimeoutError', timeout: 20 });
  });

  it.each([0, -1, Number.NaN, 2 ** 31])('of %d is refused', async (totalTimeout) => {
    const server = await startServer((response) => json(response, 200, {}));
    expect(() => server.client({ totalTimeout })).toThrow(/totalTimeout/);
  });
});

describe("the caller's signal", () => {
  it('ends a wait between attempts at once', async () => {
    const controller = new AbortController();
    const server = await startServer((response) => json(response, 503, {}));
    const client = server.client({ maxRetries: 2, onRetry: () => setImmediate(abort) });
    const abort = () => controller.abort();
    const call = client.me({ signal: controller.signal });
    expect(await rejection(call)).toMatchObject({ name: 'AbortError' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('is never taken for a failure worth repeating', async () => {
    const controller = new AbortController();
    const clock = fakeClock();
    const server = await startServer(() => controller.abort());
    const call = server.client({ clock, maxRetries: 2 }).me({ signal: controller.signal });
    expect(await rejection(call)).toMatchObject({ name: 'AbortError' });
    expect(clock.sleeps).toEqual([]);
  });

  it('that times out ends the call with a TimeoutError, and is not followed by an attempt', async () => {
    const server = await startServer(() => {});
    const client = server.client({ clock: fakeClock(), maxRetries: 2 });
    const error = await rejection(client.me({ signal: AbortSignal.timeout(20) }));
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout', timeout: undefined });
    expect(error.cause).toMatchObject({ name: 'TimeoutError' });
    expect(server.received).toHaveLength(1);
  });

  it('ends a request, with its reason as the cause', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const server = await startServer(() => controller.abort(reason));
    const error = await rejection(server.client().me({ signal: controller.signal }));
    expect(error).toMatchObject({ name: 'AbortError', code: 'aborted' });
    expect(error.cause).toBe(reason);
  });

  it('ends a request while its body is read', async () => {
    const controller = new AbortController();
    const server = await startServer((response) => {
      response.writeHead(200);
      response.write('{', () => controller.abort());
    });
    const error = await rejection(server.client().me({ signal: controller.signal }));
    expect(error).toMatchObject({ name: 'AbortError' });
  });

  it('that is aborted already lets nothing be sent', async () => {
    const server = await startServer((response) => json(response, 200, {}));
    const error = await rejection(server.client().me({ signal: AbortSignal.abort('no') }));
    expect(error).toMatchObject({ name: 'AbortError', cause: 'no' });
    expect(server.received).toHaveLength(0);
  });

  it('holds with a fetch that ignores its own', async () => {
    const controller = new AbortController();
    const server = await startServer(() => {});
    const call = server.client({ fetch: never }).me({ signal: controller.signal });
    controller.abort();
    expect(await rejection(call)).toMatchObject({ name: 'AbortError' });
  });

  it('keeps no listener after a success, a failure or a timeout', async () => {
    const { signal } = new AbortController();
    const server = await startServer((response, { target }) => {
      if (target.endsWith('/me')) json(response, 200, {});
      if (target.endsWith('/404')) json(response, 404, {});
    });
    const client = server.client();
    await client.me({ signal });
    await rejection(client.integrations.get('404', { signal }));
    await rejection(client.integrations.get('stalled', { signal, timeout: 20 }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ends an iteration between and within pages', async () => {
    const controller = new AbortController();
    const server = await startServer((response) =>
      json(response, 200, { items: [{ id: '1' }], nextCursor: `c${server.received.length}` }),
    );
    const list = server.client().integrations.list({}, { signal: controller.signal });
    const iterate = async () => {
      for await (const _ of list) if (server.received.length === 3) controller.abort();
    };
    expect(await rejection(iterate())).toMatchObject({ name: 'AbortError' });
    expect(server.received).toHaveLength(3);
  });
});
