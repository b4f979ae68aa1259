import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type LaunchedGatehouse, startFaultProxy } from '@gatehouse/harness';
import { type Exchange, type ScriptedUpstream, startScriptedUpstream } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApi } from './support/api.ts';
import { openCall, readAll } from './support/raw-call.ts';
import { createRoute } from './support/routes.ts';
import { startServer } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const MIB = 1024 * 1024;
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}';
const CALL_WITH_ITEMS =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"items":[';
const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}';

let server: LaunchedGatehouse;
let upstream: ScriptedUpstream;
let url: string;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  server = await startServer();
  url = server.origin + (await createRoute(createApi(server), { url: upstream.url })).path;
});
afterAll(() => upstream.close());

const call = (options: Partial<Parameters<typeof openCall>[1]> = {}) =>
  openCall(url, { token: server.bootstrapToken, ...options });

describe('a stream', () => {
  test.each([
    ['POST', { body: CALL }],
    ['GET', { method: 'GET', headers: { 'mcp-protocol-version': '2025-11-25' } }],
  ] as const)(
    'of a %s is passed on event by event, each before the next is sent',
    async (_, options) => {
      const opened = call(options);
      const exchange = await upstream.nextRequest();
      exchange.startSse();
      const events = readEvents(await opened.response);
      for (let sent = 0; sent < 50; sent += 1) {
        await exchange.sendEvent({ id: String(sent), data: { sent } });
        expect((await events.next()).value).toBe(`id: ${sent}\ndata: {"sent":${sent}}\n\n`);
      }
      exchange.end();
      expect((await events.next()).done).toBe(true);
    },
  );

  test('of a request is passed on piece by piece, each before the next is sent', async () => {
    const { request, response } = call();
    const exchange = upstream.nextRequest();
    const item = `"${'x'.repeat(1_021)}",`;
    const pieces = [CALL_WITH_ITEMS, ...Array<string>(16).fill(item.repeat(64)), '""]}}}'];
    let sent = 0;
    for (const piece of pieces) {
      request.write(piece);
      sent += piece.length;
      await vi.waitUntil(() => upstream.requests.at(-1)?.body.length === sent, {
        interval: 1,
        timeout: 30_000,
      });
    }
    request.end();
    (await exchange).respond({ body: 'taken' });
    expect(await readAll(await response)).toBe('taken');
  });

  test('ends at the upstream when its client goes away', async () => {
    const opened = call({ body: CALL });
    const exchange = await upstream.nextRequest();
    exchange.startSse();
    const response = await opened.response;
    response.destroy();
    expect(await exchange.closed).toBe('aborted');
  });
});

/**
 * Resident memory is read while everything stands still: the reader has stopped, and the upstream
 * cannot send any more. What the server holds of the stream then lies in its memory. A first, shorter
 * stream has brought heap and buffers to their usual size, so what is garbage counts in both.
 */
test('512 MiB through a slow reader grow the memory by less than 32 MiB', async () => {
  const before = await streamSlowly(128 * MIB);
  const during = await streamSlowly(512 * MIB);
  expect(during).toHaveLength(16);
  expect((Math.max(...during) - Math.max(...before)) / MIB).toBeLessThan(32);
});

describe('a call over a connection that fails', () => {
  async function startFaulty() {
    const proxy = await startFaultProxy({ target: { port: Number(new URL(upstream.url).port) } });
    onTestFinished(() => proxy.close());
    const route = await createRoute(createApi(server), {
      url: `http://127.0.0.1:${proxy.port}/mcp`,
    });
    const received = upstream.requests.length;
    const send = () =>
      openCall(server.origin + route.path, { token: server.bootstrapToken, body: CALL });
    return {
      proxy,
      send,
      /** Makes a call that goes well; returns how often the upstream was called before it. */
      async callsBeforeNext() {
        proxy.setFault({ kind: 'pass' });
        const sent = send();
        (await upstream.nextRequest()).respondResult({});
        expect((await sent.response).statusCode).toBe(200);
        return upstream.requests.length - received - 1;
      },
    };
  }

  test('before the answer becomes a 502, and the call is not repeated', async () => {
    const { proxy, send, callsBeforeNext } = await startFaulty();
    const sent = send();
    await upstream.nextRequest();
    proxy.setFault({ kind: 'reset' });
    const response = await sent.response;
    expect(response.statusCode).toBe(502);
    expect(JSON.parse(await readAll(response))).toMatchObject({ code: 'upstream_unreachable' });
    expect(await callsBeforeNext()).toBe(1);
  });

  test.each([
    ['a stream', { 'Content-Type': 'text/event-stream' }],
    ['a body of known length', { 'Content-Type': 'application/json', 'Content-Length': 1000 }],
  ])('in the middle of %s breaks off for the client, and is not sent again', async (_, headers) => {
    const { proxy, send, callsBeforeNext } = await startFaulty();
    const sent = send();
    const exchange = await upstream.nextRequest();
    exchange.sendHead(200, headers);
    await exchange.send(': a beginning\n\n');
    const response = await sent.response;
    expect(String((await once(response, 'data'))[0])).toBe(': a beginning\n\n');
    proxy.setFault({ kind: 'reset' });
    await expect(readAll(response)).rejects.toThrow('aborted');
    expect(await callsBeforeNext()).toBe(1);
  });

  test('by going silent lasts until the client leaves, and is not sent again', async () => {
    const { proxy, send, callsBeforeNext } = await startFaulty();
    const sent = send();
    const exchange = await upstream.nextRequest();
    proxy.setFault({ kind: 'black-hole' });
    exchange.respondResult({});
    expect(await Promise.race([sent.response, delay(300, 'silence')])).toBe('silence');
    sent.request.destroy();
    expect(await callsBeforeNext()).toBe(1);
  });

  test('because nothing listens becomes a 502', async () => {
    const { proxy, send } = await startFaulty();
    await proxy.close();
    const response = await send().response;
    expect(response.statusCode).toBe(502);
    expect(JSON.parse(await readAll(response))).toMatchObject({ code: 'upstream_unreachable' });
  });
});

// prlimit(1) is of Linux.
test.runIf(process.platform === 'linux')(
  'a call that finds no file descriptor for its upstream gets 503 and can be sent again',
  async () => {
    // Closes each connection, so that every call needs a new one; the client's is open before.
    const closing = createServer((req, res) => {
      req.resume().on('end', () => {
        res.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{}');
      });
    });
    onTestFinished(() => void closing.close());
    await once(closing.listen(0, '127.0.0.1'), 'listening');
    const { port } = closing.address() as AddressInfo;
    const route = await createRoute(createApi(server), { url: `http://127.0.0.1:${port}/mcp` });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const send = () =>
      openCall(server.origin + route.path, { token: server.bootstrapToken, body: CALL, agent })
        .response;
    const setLimit = (limit: number) =>
      execFileSync('prlimit', ['--pid', String(server.pid), `--nofile=${limit}:`]);

    const before = await send();
    expect(before.statusCode).toBe(200);
    await readAll(before);
    setLimit(3);
    const refused = await send().finally(() => setLimit(1_024));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(await readAll(refused))).toMatchObject({ code: 'overloaded' });
    const next = await send();
    expect(next.statusCode).toBe(200);
    await readAll(next);
  },
);

/** Last: it ends the server of this file. */
describe('SIGTERM', () => {
  test('with 60 open streams exits 0 and loses no acknowledged call', async () => {
    const sessions = await startScriptedUpstream();
    onTestFinished(() => sessions.close());
    const held: Exchange[] = [];
    sessions.otherwise((exchange) => {
      const { method } = exchange.message ?? {};
      if (exchange.request.method === 'GET') exchange.startSse();
      else if (method !== 'initialize') held.push(exchange);
      else exchange.respondResult({}, { 'Mcp-Session-Id': `upstream-session-${randomUUID()}` });
    });
    const api = createApi(server);
    const route = await createRoute(api, { url: sessions.url });
    const send = (options: Partial<Parameters<typeof openCall>[1]>) =>
      openCall(server.origin + route.path, { token: server.bootstrapToken, ...options });

    const ids = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const response = await send({ body: INITIALIZE }).response;
        await readAll(response);
        return String(response.headers['mcp-session-id']);
      }),
    );
    const inSession = (id: string | undefined) => ({
      'mcp-session-id': String(id),
      'mcp-protocol-version': '2025-11-25',
    });
    const streams = await Promise.all(
      ids.map((id) => send({ method: 'GET', headers: inSession(id) }).response),
    );
    const ends = Promise.all(streams.map(readAll));
    const calls = ids
      .slice(0, 10)
      .map(async (id) => (await send({ body: CALL, headers: inSession(id) }).response).statusCode);
    await vi.waitUntil(() => held.length === 10, { timeout: 30_000 });

    const acknowledged = writeUntilRefused(api);
    const ended = server.stop();
    for (const exchange of held.splice(0)) exchange.respondResult({ done: true });
    expect(await Promise.all(calls)).toEqual(Array(10).fill(200));
    expect(await ends).toEqual(ids.map(() => 'retry: 5000\n\n'));
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(server.stderr).toBe('');

    const { dataDir, bootstrapToken } = server;
    const next = await startServer({ dataDir, bootstrapToken });
    const nextApi = createApi(next);
    for (const id of await acknowledged) await nextApi.expect(200, 'GET', `/integrations/${id}`);
    const { body } = await nextApi.expect(200, 'GET', `/applications/${route.applicationId}`);
    expect(body.application).toMatchObject({
      activeSessionCount: 60,
      liveSessionCount: 0,
      totalSessionCount: 60,
    });
    const again = openCall(next.origin + route.path, {
      token: bootstrapToken,
      body: CALL,
      headers: inSession(ids.at(-1)),
    });
    await vi.waitUntil(() => held.length === 1, { timeout: 30_000 });
    held[0]?.respondResult({ done: true });
    expect((await again.response).statusCode).toBe(200);
    await next.stop();
  });
});

/** Whole events as they come in. */
async function* readEvents(response: IncomingMessage): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield text.slice(0, end + 2);
      text = text.slice(end + 2);
    }
  }
}

/** Streams this many bytes to a reader that pauses every 32 MiB; returns resident memory at each pause. */
async function streamSlowly(bytes: number): Promise<number[]> {
  const opened = call({ body: CALL });
  const exchange = await upstream.nextRequest();
  exchange.startSse();
  const response = await opened.response;
  const sending = exchange.stream(bytes);
  const readings: number[] = [];
  let received = 0;
  let next = 32 * MIB;
  for await (const chunk of response) {
    received += chunk.length;
    if (received < next && received < bytes) continue;
    next += 32 * MIB;
    await untilStill(exchange);
    readings.push((await server.usage()).residentBytes);
    if (received === bytes) break;
  }
  expect(await sending).toBe(bytes);
  return readings;
}

/** Resolves once the upstream cannot hand on any more. */
async function untilStill(exchange: Exchange): Promise<void> {
  for (let before = -1; before !== exchange.sentBytes; ) {
    before = exchange.sentBytes;
    await delay(50);
  }
}

/** Creates integrations one after the other; returns the ids of those that were acknowledged. */
async function writeUntilRefused(api: ReturnType<typeof createApi>): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const answer = await api
      .call('POST', '/integrations', {
        body: { name: 'Late', url: 'https://mcp.example.com/mcp' },
      })
      .catch(() => undefined);
    if (answer?.status !== 201) return ids;
    ids.push(answer.body.integration.id);
  }
}
