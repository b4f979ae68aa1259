import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BodyMemory } from '../../src/gateway/body-memory.ts';
import { use } from '../support/use.ts';
import { clientOf, listen, MODERN, startGateway, useFixture } from './fixture.ts';

const BODY = { method: 'tools/call', params: { text: 'x'.repeat(9_000) }, jsonrpc: '2.0', id: 1 };
/** Enough for two such bodies, and not for a third. */
const limits = { wholeBodyBytes: 10_000, keptBytesInAll: 20_000 };
const CHUNKED = { 'transfer-encoding': 'chunked', 'content-length': [] };
const JSON_HEAD = { 'content-type': 'application/json' };

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const gateway = use(() => startGateway(fixture.server.store, { limits }));
let respond: (res: ServerResponse) => unknown;
const upstream = use(() => listen((req, res) => void req.resume().on('end', () => respond(res))));
let url: string;
let unconnected: string;
let memory: BodyMemory | undefined;

beforeAll(async () => {
  const fields = { authMode: 'server_token', serverToken: 'secret', url: upstream.origin };
  url = fixture.urlOf(await fixture.integrate(fields), gateway.origin);
  const ofUsers = { authMode: 'user_token', url: upstream.origin };
  unconnected = fixture.urlOf(await fixture.integrate(ofUsers), gateway.origin);
});

beforeEach(() => {
  const { take } = BodyMemory.prototype;
  const spy = vi.spyOn(BodyMemory.prototype, 'take').mockImplementation(function (
    this: BodyMemory,
    ...args
  ) {
    memory = this;
    return take.apply(this, args);
  });
  return () => spy.mockRestore();
});

const call = (headers = {}) => send(url, { body: BODY, headers: { ...MODERN, ...headers } });

describe.each([
  ['of a declared length', {}],
  ['in chunks', CHUNKED],
])('a body %s', (_, length) => {
  it.each<[string, (res: ServerResponse) => unknown, number]>([
    ['relayed', (res) => res.writeHead(200, JSON_HEAD).end('{}'), 200],
    ['refused upstream', (res) => res.writeHead(400, JSON_HEAD).end('{}'), 400],
    ['refused for its credential', (res) => res.writeHead(401).end(), 200],
    ['redirected', (res) => res.writeHead(307, { location: '/' }).end(), 502],
    ['cut upstream', (res) => res.destroy(), 502],
  ])('of a call that is %s is not kept after its response', async (_, answer, status) => {
    let used: number | undefined;
    respond = (res) => {
      used = memory?.used;
      answer(res);
    };
    const response = await call(length);
    expect(response.status).toBe(status);
    await response.text();
    expect(used).toBeGreaterThan(9_000);
    expect(memory?.used).toBe(0);
  });

  it('is not kept after its client has left', async () => {
    let isRead = false;
    respond = () => (isRead = true);
    const client = new AbortController();
    const left = send(url, { body: BODY, headers: length, signal: client.signal }).catch(
      () => 'left',
    );
    await expect.poll(() => isRead).toBe(true);
    expect(memory?.used).toBeGreaterThan(9_000);
    client.abort();
    expect(await left).toBe('left');
    await expect.poll(() => memory?.used).toBe(0);
  });
});

it('a body in chunks is no longer kept once it turns out to be long', async () => {
  let used: number | undefined;
  respond = (res) => {
    used = memory?.used;
    res.writeHead(200, JSON_HEAD).end('{}');
  };
  const body = { ...BODY, params: 'x'.repeat(100_000) };
  expect((await send(url, { body, headers: CHUNKED })).status).toBe(200);
  expect(used).toBe(0);
});

describe('while other bodies take all the memory there is', () => {
  let waiting: ServerResponse[];
  let calls: ReturnType<typeof call>[];

  beforeEach(async () => {
    waiting = [];
    respond = (res) => waiting.push(res);
    calls = [call(), call(CHUNKED)];
    await expect.poll(() => waiting.length).toBe(2);
    return async () => {
      for (const res of waiting) res.writeHead(200, JSON_HEAD).end('{}');
      for (const { text } of await Promise.all(calls)) await text();
      expect(memory?.used).toBe(0);
    };
  });

  it.each([{}, CHUNKED])(
    'a call is relayed all the same, with a body as it arrives: %o',
    async (length) => {
      const before = memory?.used;
      respond = (res) => res.writeHead(200, JSON_HEAD).end('{}');
      expect((await call(length)).status).toBe(200);
      expect(memory?.used).toBe(before);
      expect(before).toBeLessThanOrEqual(limits.keptBytesInAll);
    },
  );

  it('a refusal is a problem document', async () => {
    respond = (res) => res.writeHead(401).end();
    expect((await call()).status).toBe(403);
  });

  it('a body that must be read here is refused until there is room', async () => {
    const { status, headers, text } = await send(unconnected, { body: BODY, headers: MODERN });
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('1');
    expect(JSON.parse(await text()).code).toBe('overloaded');
    for (const res of waiting.splice(0)) res.writeHead(200, JSON_HEAD).end('{}');
    await Promise.all(calls);
    expect((await send(unconnected, { body: BODY, headers: MODERN })).status).toBe(200);
  });
});
