import { type FaultProxy, startFaultProxy } from '@gatehouse/harness';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { InternalOptions } from '../src/resolve-options.ts';
import { fakeClock } from './support/clock.ts';
import { rejection } from './support/rejection.ts';
import { type Answer, json, startServer } from './support/server.ts';
import { fakeTimeouts, fetchWithSlowBody } from './support/timers.ts';

const proxies = new Set<FaultProxy>();

afterEach(async () => {
  await Promise.all([...proxies].map((proxy) => proxy.close()));
  proxies.clear();
});

const large = { user: { name: 'x'.repeat(20_000) } };

/** A server behind a proxy, where a test can disturb connections, and a client of it. */
async function behindProxy(
  answer: Answer = (response) => json(response, 200, large),
  options: InternalOptions = {},
) {
  const server = await startServer(answer);
  const proxy = await startFaultProxy({ target: { port: Number(new URL(server.origin).port) } });
  proxies.add(proxy);
  const clock = fakeClock();
  const baseUrl = `http://${proxy.host}:${proxy.port}`;
  /** Takes the fault away before the next attempt. */
  const onRetry = () => proxy.setFault({ kind: 'pass' });
  const client = server.client({ baseUrl, clock, onRetry, maxRetries: 2, ...options });
  return { server, proxy, clock, client };
}

describe('the connection', () => {
  it('that is reset is tried again', async () => {
    const { proxy, client, clock } = await behindProxy();
    proxy.setFault({ kind: 'reset' });
    expect(await client.me()).toEqual(large);
    expect(clock.sleeps).toEqual([500]);
  });

  it('that is reset every time is a ConnectionError', async () => {
    const { proxy, client } = await behindProxy();
    proxy.setFault({ kind: 'reset' });
    const error = await rejection(client.me({ maxRetries: 0 }));
    expect(error).toMatchObject({ name: 'ConnectionError' });
    expect(proxy.counts.accepted).toBe(1);
  });

  it('that is reset after a POST was received sends it again with its key', async () => {
    let reset = () => {};
    const { server, proxy, client } = await behindProxy((response) => {
      if (server.received.length === 1) reset();
      else json(response, 200, { application: {}, oauth: {} });
    });
    reset = () => proxy.setFault({ kind: 'reset' });
    await client.applications.rotateSecret('a1');
    const [first, second] = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });

  it('that breaks within the body is tried again', async () => {
    const { server, proxy, client } = await behindProxy();
    proxy.setFault({ kind: 'limit-data', bytes: 5_000 });
    expect(await client.me()).toEqual(large);
    expect(server.received).toHaveLength(2);
  });

  it('that answers in single bytes is read to the end', async () => {
    const { proxy, client } = await behindProxy((response) => json(response, 200, { user: {} }));
    proxy.setFault({ kind: 'slice', bytes: 1 });
    expect(await client.me()).toEqual({ user: {} });
  });

  it('that lets nothing through is ended by the timeout', async () => {
    fakeTimeouts();
    const { proxy, client } = await behindProxy();
    proxy.setFault({ kind: 'black-hole' });
    const error = rejection(client.me({ timeout: 50, maxRetries: 0 }));
    await expect.poll(() => proxy.counts.accepted).toBe(1);
    vi.advanceTimersByTime(50);
    expect(await error).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('an answer', () => {
  it('is ended by the timeout if its headers come too slowly', async () => {
    const { proxy, client } = await behindProxy();
    proxy.setFault({ kind: 'bandwidth', bytesPerSecond: 20 });
    const error = await rejection(client.me({ timeout: 100, maxRetries: 0 }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
  });

  it('is ended by the timeout if its body stalls, and its connection is closed', async () => {
    fakeTimeouts();
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const stall: Answer = (response) => {
      response.on('close', onClose);
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"user":');
    };
    const { client } = await behindProxy(stall, { fetch: fetchWithSlowBody(50) });
    const error = await rejection(client.me({ timeout: 50, maxRetries: 0 }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    await closed;
  });

  it('of truncated JSON with its whole length is an InvalidResponseError, not repeated', async () => {
    const { server, client } = await behindProxy((response) => response.end('{"user":{"name":"A'));
    expect(await rejection(client.me())).toMatchObject({ name: 'InvalidResponseError' });
    expect(server.received).toHaveLength(1);
  });

  it('of 503 with Retry-After is waited for', async () => {
    const { server, client, clock } = await behindProxy((response) => {
      if (server.received.length > 1) json(response, 200, large);
      else json(response, 503, {}, { 'retry-after': '3' });
    });
    expect(await client.me()).toEqual(large);
    expect(clock.sleeps).toEqual([3000]);
  });

  it('is not awaited by a caller who left', async () => {
    const controller = new AbortController();
    const { proxy, client } = await behindProxy();
    proxy.setFault({ kind: 'black-hole' });
    const call = client.me({ signal: controller.signal });
    controller.abort();
    expect(await rejection(call)).toMatchObject({ name: 'AbortError' });
  });
});
