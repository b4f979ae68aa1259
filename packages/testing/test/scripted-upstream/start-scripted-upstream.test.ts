import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/scripted-upstream/exchange.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../../src/scripted-upstream/start-scripted-upstream.ts';

let upstream: ScriptedUpstream;

beforeEach(async () => {
  upstream = await startScriptedUpstream();
});

afterEach(() => upstream.close());

function post(init: RequestInit = {}): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 'a-1', method: 'tools/list' };
  return fetch(upstream.url, { method: 'POST', body: JSON.stringify(message), ...init });
}

async function begin(init?: RequestInit): Promise<[Exchange, Promise<Response>]> {
  const response = post(init);
  return [await upstream.nextRequest(), response];
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return Buffer.from((await reader.read()).value ?? []).toString();
}

async function openReader(response: Promise<Response>) {
  const { body } = await response;
  if (!body) throw new Error('no body');
  return body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
}

it('sends one event at a time, when the test says so', async () => {
  const [exchange, response] = await begin();
  exchange.startSse({ 'X-Accel-Buffering': 'no' });
  const reader = await openReader(response);
  await exchange.sendEvent({ event: 'message', id: '1', retry: 50, data: { a: 1 } });
  expect(await readText(reader)).toBe('event: message\nid: 1\nretry: 50\ndata: {"a":1}\n\n');
  await exchange.send(': keep-alive\n\n');
  expect(await readText(reader)).toBe(': keep-alive\n\n');
  await exchange.sendEvent({ data: 'two\nlines' });
  expect(await readText(reader)).toBe('data: two\ndata: lines\n\n');
  exchange.end();
  expect((await reader.read()).done).toBe(true);
  expect(await exchange.closed).toBe('finished');
});

it('sends any status, headers and body', async () => {
  const [exchange, response] = await begin();
  exchange.respond({ status: 418, headers: { 'X-Odd': ['a', 'b'] }, body: Buffer.from([0, 255]) });
  const { status, headers } = await response;
  expect(status).toBe(418);
  expect(headers.get('x-odd')).toBe('a, b');
  expect(new Uint8Array(await (await response).arrayBuffer())).toEqual(new Uint8Array([0, 255]));
});

it('answers with a result under the id of the request', async () => {
  const [exchange, response] = await begin();
  expect(exchange.message?.method).toBe('tools/list');
  exchange.respondResult({ tools: [] });
  expect(await (await response).json()).toEqual({
    jsonrpc: '2.0',
    id: 'a-1',
    result: { tools: [] },
  });
});

it('never answers when the test does not, and sees the client leave', async () => {
  const leaving = new AbortController();
  const [exchange, response] = await begin({ signal: leaving.signal });
  leaving.abort();
  await expect(response).rejects.toThrow();
  expect(await exchange.closed).toBe('aborted');
});

it('refuses as often as told and then hands over', async () => {
  upstream.refuse(2);
  for (const response of [await post(), await post()]) {
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
  }
  const [exchange, third] = await begin();
  exchange.respond({});
  expect((await third).status).toBe(200);
});

it('drops the connection in the middle of a body', async () => {
  const [exchange, response] = await begin();
  exchange.sendHead(200, { 'Content-Length': 100 });
  await exchange.send('half');
  const reader = await openReader(response);
  expect(await readText(reader)).toBe('half');
  exchange.drop();
  await expect(reader.read()).rejects.toThrow();
  expect(await exchange.closed).toBe('aborted');
});

describe('streaming', () => {
  it('delivers every byte', async () => {
    const [exchange, response] = await begin();
    exchange.sendHead(200);
    const sent = exchange.stream(3 * 1024 * 1024 + 1).then(() => exchange.end());
    expect((await (await response).arrayBuffer()).byteLength).toBe(3 * 1024 * 1024 + 1);
    await sent;
  });

  it('waits for a reader that does not read, and stops when it leaves', async () => {
    const leaving = new AbortController();
    const [exchange, response] = await begin({ signal: leaving.signal });
    exchange.sendHead(200);
    const total = 64 * 1024 * 1024;
    const sent = exchange.stream(total);
    await response;
    await expect.poll(() => exchange.sentBytes).toBeGreaterThan(0);
    leaving.abort();
    expect(await sent).toBeLessThan(total);
  });
});

it('takes handlers in their order before the general one', async () => {
  upstream.otherwise(({ respond }) => respond({ body: 'general' }));
  upstream.once(({ respond }) => respond({ body: 'first' }));
  upstream.once(({ respond }) => respond({ body: 'second' }));
  const bodies: string[] = [];
  for (let count = 0; count < 3; count += 1) bodies.push(await (await post()).text());
  expect(bodies).toEqual(['first', 'second', 'general']);
});

it('records what it receives and counts connections', async () => {
  const [exchange, response] = await begin({ headers: { 'X-Mark': 'seen' } });
  expect(upstream.hasReceived('seen')).toBe(true);
  expect(exchange.request.requestLine).toBe('POST /mcp HTTP/1.1');
  expect(await upstream.connections()).toBe(1);
  expect(upstream.acceptedConnections).toBe(1);
  exchange.respond({});
  await response;
});
