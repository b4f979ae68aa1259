import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Egress } from '../../src/egress/egress.ts';
import { closeLater, openEgress, senderOf } from './support.ts';

describe('a connection at rest', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it('is used again after most of a minute', async () => {
    const upstream = await startUpstream();
    const egress = openEgress();
    await get(egress, upstream.origin);
    vi.advanceTimersByTime(55_000);
    await get(egress, upstream.origin);
    expect(upstream.sockets.length).toBe(1);
    vi.advanceTimersByTime(61_000);
    await upstream.closed(1);
  });

  it('is closed before the time that its upstream names', async () => {
    const upstream = await startUpstream((_, response) =>
      response.writeHead(200, { 'Keep-Alive': 'timeout=5' }).end(),
    );
    const egress = openEgress();
    await get(egress, upstream.origin);
    vi.advanceTimersByTime(3_500);
    await get(egress, upstream.origin);
    expect(upstream.sockets.length).toBe(1);
    vi.advanceTimersByTime(4_000);
    await upstream.closed(1);
  });

  it('that its upstream closes fails no call, and the next ones rest for a shorter time', async () => {
    const upstream = await startUpstream();
    const egress = openEgress();
    await get(egress, upstream.origin);
    vi.setSystemTime(Date.now() + 5_000);
    upstream.sockets[0]?.end();
    await upstream.closed(1);
    await get(egress, upstream.origin);
    vi.advanceTimersByTime(3_900);
    await get(egress, upstream.origin);
    expect(upstream.sockets.length).toBe(2);
    vi.advanceTimersByTime(4_000);
    await upstream.closed(2);
  });

  it('that its upstream closes while a stream is open on another has the same effect', async () => {
    const upstream = await startUpstream((request, response) => {
      if (request.url === '/stream') response.writeHead(200).flushHeaders();
      else response.end();
    });
    const egress = openEgress();
    const stream = new AbortController();
    const streaming = get(egress, `${upstream.origin}/stream`, stream.signal);
    const ended = expect(streaming).rejects.toMatchObject({ kind: 'timeout' });
    await upstream.responded();
    await get(egress, upstream.origin);
    vi.setSystemTime(Date.now() + 5_000);
    upstream.sockets[1]?.end();
    await upstream.closed(1);
    await get(egress, upstream.origin);
    vi.advanceTimersByTime(4_100);
    await upstream.closed(2);
    stream.abort();
    await ended;
  });

  it('that its upstream closes right after a start does not shorten how long the next ones rest', async () => {
    const upstream = await startUpstream();
    const egress = openEgress();
    await get(egress, upstream.origin);
    upstream.sockets[0]?.end();
    await upstream.closed(1);
    await get(egress, upstream.origin);
    vi.advanceTimersByTime(900);
    await get(egress, upstream.origin);
    expect(upstream.sockets.length).toBe(2);
  });
});

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'the next connection resumes the session of %s, also after a garbage collection',
  async (version) => {
    // The fixture signs itself.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    closeLater(async () => vi.unstubAllEnvs());
    const resumed: boolean[] = [];
    const read = (name: string) =>
      readFileSync(new URL(`./fixtures/localhost.${name}.pem`, import.meta.url));
    const options = { key: read('key'), cert: read('cert'), maxVersion: version };
    const server = createHttpsServer(options, (_, response) => {
      response.writeHead(200, { Connection: 'close' }).end();
    });
    server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()));
    const origin = `https://localhost:${await listen(server)}`;
    const egress = openEgress();
    await get(egress, origin);
    collectGarbage();
    await get(egress, origin, undefined, 'another-user');
    expect(resumed).toEqual([false, true]);
  },
);

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

async function get(
  egress: Egress,
  url: string,
  signal?: AbortSignal,
  userId = 'user',
): Promise<void> {
  const { status } = await egress.request(url, {
    method: 'GET',
    maxBytes: 1024,
    signal: signal ?? AbortSignal.timeout(30_000),
    sender: senderOf({ userId }),
  });
  expect(status).toBe(200);
  // The connection is ready for the next request one turn after the end of the response.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

async function startUpstream(respond: RequestListener = (_, response) => response.end()) {
  const sockets: Socket[] = [];
  const events = new EventEmitter();
  let closed = 0;
  const server = createHttpServer({ keepAliveTimeout: 0 }, (request, response) => {
    respond(request, response);
    events.emit('responded');
  });
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.on('close', () => {
      closed += 1;
      events.emit('closed');
    });
  });
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    sockets,
    responded: () => once(events, 'responded'),
    async closed(count: number) {
      while (closed < count) await once(events, 'closed');
    },
  };
}

async function listen(server: ReturnType<typeof createHttpServer>): Promise<number> {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
