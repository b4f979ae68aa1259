import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Egress } from '../../src/egress/egress.ts';
import { closeLater, openEgress as open, senderOf } from './support.ts';

afterEach(() => vi.useRealTimers());

const sender = senderOf({ token: 'secret' });

describe('connection pools', () => {
  it('keep one pool per origin, and its connections', async () => {
    const upstream = await startUpstream();
    const egress = open();
    expect(egress.poolFor(upstream.origin, sender)).toBe(egress.poolFor(upstream.origin, sender));
    await call(egress, upstream.origin);
    await nextTurn();
    await call(egress, upstream.origin);
    expect(upstream.connections()).toBe(1);
  });

  it('open no connection after calls that were aborted until there is another call', async () => {
    const upstream = await startUpstream({ isEndless: true });
    const egress = open();
    for (let aborted = 1; aborted <= 3; aborted += 1) {
      const until = () => true;
      await call(egress, upstream.origin, { until });
      await expect.poll(() => upstream.closed()).toBe(aborted);
      // Time for another connection, which must not come.
      await delay(30);
      expect(upstream.connections()).toBe(aborted);
    }
  });

  it('close when no call has come for a while, and open again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const egress = open({ idleAfter: 1000 });
    const pool = egress.poolFor('http://127.0.0.1:9', sender);
    vi.advanceTimersByTime(1000);
    expect(egress.poolFor('http://127.0.0.1:9', sender)).toBe(pool);
    vi.advanceTimersByTime(2000);
    expect(pool.closed).toBe(true);
    expect(egress.poolFor('http://127.0.0.1:9', sender)).not.toBe(pool);
  });

  it('stay open while a call is running, however long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const upstream = await startUpstream({ holds: true });
    const egress = open({ idleAfter: 1000 });
    const pool = egress.poolFor(upstream.origin, sender);
    const answer = call(egress, upstream.origin);
    await upstream.requested;
    vi.advanceTimersByTime(5000);
    expect(pool.closed).toBe(false);
    upstream.release();
    expect((await answer).status).toBe(200);
  });

  it('get no further call after a while, and complete those they have', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const upstream = await startUpstream({ holds: true });
    const egress = open({ idleAfter: 1000, maxAge: 3000 });
    const pool = egress.poolFor(upstream.origin, sender);
    const answer = call(egress, upstream.origin);
    await upstream.requested;
    vi.advanceTimersByTime(4000);
    expect(egress.poolFor(upstream.origin, sender)).not.toBe(pool);
    upstream.release();
    expect((await answer).status).toBe(200);
  });

  it('make room by closing the one longest unused, which completes the call it has', async () => {
    const upstream = await startUpstream({ holds: true });
    const egress = open({ maxPools: 2 });
    const first = egress.poolFor(upstream.origin, sender);
    const answer = call(egress, upstream.origin);
    await upstream.requested;
    const second = egress.poolFor('http://127.0.0.1:9', sender);
    egress.poolFor('http://127.0.0.1:8', sender);
    expect([first.closed, second.closed]).toEqual([true, false]);
    upstream.release();
    expect((await answer).status).toBe(200);
  });

  it('are cut by close', async () => {
    const upstream = await startUpstream({ holds: true });
    const egress = open();
    const answer = call(egress, upstream.origin);
    const failed = expect(answer).rejects.toMatchObject({ kind: 'unreachable' });
    await upstream.requested;
    await egress.close();
    await failed;
  });

  it('are cut by close also while they complete their last call', async () => {
    const upstream = await startUpstream({ holds: true });
    const egress = open({ maxPools: 1 });
    const answer = call(egress, upstream.origin);
    const failed = expect(answer).rejects.toMatchObject({ kind: 'unreachable' });
    await upstream.requested;
    egress.poolFor('http://127.0.0.1:9', sender);
    await egress.close();
    await failed;
  });
});

describe('request', () => {
  it('keeps at most maxBytes of the body and says that there was more', async () => {
    const upstream = await startUpstream({ body: 'x'.repeat(100_000) });
    const answer = await call(open(), upstream.origin, { maxBytes: 10 });
    expect([answer.body.toString(), answer.isTruncated]).toEqual(['xxxxxxxxxx', true]);
  });

  it('stops reading an endless body as soon as it has what it wants', async () => {
    const upstream = await startUpstream({ body: 'first', isEndless: true });
    const until = (chunk: Buffer) => chunk.includes('first');
    const answer = await call(open(), upstream.origin, { until });
    expect([answer.body.toString(), answer.isTruncated]).toEqual(['first', true]);
    await upstream.cut;
  });

  it('does not follow redirects', async () => {
    const upstream = await startUpstream({ status: 307, headers: { location: '/elsewhere' } });
    const answer = await call(open(), upstream.origin);
    expect([answer.status, answer.headers.location]).toEqual([307, '/elsewhere']);
    expect(upstream.paths).toEqual(['/']);
  });

  it('ends at the deadline with a timeout', async () => {
    const upstream = await startUpstream({ holds: true });
    const controller = new AbortController();
    const answer = call(open(), upstream.origin, { signal: controller.signal });
    const failed = expect(answer).rejects.toMatchObject({ kind: 'timeout' });
    await upstream.requested;
    controller.abort();
    await failed;
  });
});

function call(egress: Egress, url: string, extra: Partial<Parameters<Egress['request']>[1]> = {}) {
  const defaults = {
    method: 'GET',
    maxBytes: 1_000_000,
    signal: AbortSignal.timeout(30_000),
  } as const;
  return egress.request(url, { ...defaults, sender, ...extra });
}

interface UpstreamScript {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isEndless?: boolean;
  readonly holds?: boolean;
}

async function startUpstream(script: UpstreamScript = {}) {
  const { promise: released, resolve: release } = withResolvers();
  const { promise: requested, resolve: noteRequest } = withResolvers();
  const { promise: cut, resolve: noteCut } = withResolvers();
  const paths: string[] = [];
  let connections = 0;
  let closed = 0;
  const server: Server = createServer(async (request, response) => {
    paths.push(request.url ?? '');
    response.on('close', noteCut);
    noteRequest();
    if (script.holds) await released;
    response.writeHead(script.status ?? 200, script.headers).write(script.body ?? 'ok');
    if (!script.isEndless) response.end();
  }).on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => {
      closed += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requested,
    release,
    cut,
    paths,
    connections: () => connections,
    closed: () => closed,
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
