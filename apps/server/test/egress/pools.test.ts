import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEgress, type Egress } from '../../src/egress/egress.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).reverse()) await close();
});

describe('connection pools', () => {
  it('keep one pool per origin, and its connections', async () => {
    const upstream = await startUpstream();
    const egress = open();
    expect(egress.poolFor(upstream.origin)).toBe(egress.poolFor(upstream.origin));
    await call(egress, upstream.origin);
    await nextTurn();
    await call(egress, upstream.origin);
    expect(upstream.connections()).toBe(1);
  });

  it('close when no call has come for a while, and open again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const egress = open({ idleAfter: 1000 });
    const pool = egress.poolFor('http://127.0.0.1:9');
    vi.advanceTimersByTime(1000);
    expect(egress.poolFor('http://127.0.0.1:9')).toBe(pool);
    vi.advanceTimersByTime(2000);
    expect(pool.closed).toBe(true);
    expect(egress.poolFor('http://127.0.0.1:9')).not.toBe(pool);
  });

  it('stay open while a call is running, however long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const upstream = await startUpstream({ holds: true });
    const egress = open({ idleAfter: 1000 });
    const pool = egress.poolFor(upstream.origin);
    const answer = call(egress, upstream.origin);
    await upstream.requested;
    vi.advanceTimersByTime(5000);
    expect(pool.closed).toBe(false);
    upstream.release();
    expect((await answer).status).toBe(200);
  });

  it('make room by closing an idle one, and refuse when all are in use', async () => {
    const upstream = await startUpstream({ holds: true });
    const egress = open({ maxPools: 1 });
    const idle = egress.poolFor('http://127.0.0.1:9');
    const answer = call(egress, upstream.origin);
    expect(idle.closed).toBe(true);
    await upstream.requested;
    expect(() => egress.poolFor('http://127.0.0.1:9')).toThrow(
      expect.objectContaining({ kind: 'unreachable', reason: 'too_many_origins' }),
    );
    upstream.release();
    await answer;
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

function open(options: Partial<Parameters<typeof createEgress>[0]> = {}): Egress {
  const egress = createEgress({
    publicUrl: 'https://gatehouse.example.com',
    allowedNetworks: ['127.0.0.0/8'],
    ...options,
  });
  closers.push(() => egress.close());
  return egress;
}

function call(egress: Egress, url: string, extra: Partial<Parameters<Egress['request']>[1]> = {}) {
  const defaults = {
    method: 'GET',
    maxBytes: 1_000_000,
    signal: AbortSignal.timeout(30_000),
  } as const;
  return egress.request(url, { ...defaults, carries: 'credentials', ...extra });
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
  const server: Server = createServer(async (request, response) => {
    paths.push(request.url ?? '');
    response.on('close', noteCut);
    noteRequest();
    if (script.holds) await released;
    response.writeHead(script.status ?? 200, script.headers).write(script.body ?? 'ok');
    if (!script.isEndless) response.end();
  }).on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
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
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
