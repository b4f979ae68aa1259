import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../src/gateway/call-record.ts';
import { hidingBodies, oddBodies } from '../mcp/envelope/hostile-bodies.ts';
import { use } from '../support/use.ts';
import { CALL, clientOf, MODERN, type SendOptions, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const records: CallRecord[] = [];
/** The bodies that have reached the upstream whole. */
const executed: Buffer[] = [];
const recorder = { needsMessages: true, ended: (record: CallRecord) => void records.push(record) };
const recording = use(() => startGateway(fixture.server.store, { observers: [recorder] }));
const blind = use(() => startGateway(fixture.server.store));

let integrationId: string;
let url: string;

beforeAll(async () => {
  integrationId = await fixture.integrate();
  url = fixture.urlOf(integrationId, recording.origin);
  fixture.upstream.otherwise((exchange) => {
    executed.push(exchange.request.body);
    exchange.respondResult({});
  });
});

const CHUNKED = { 'transfer-encoding': 'chunked', 'content-length': [] };
const LONG = ' '.repeat(300_000);

/** What the client gets, what has reached the upstream in the meantime, and what is recorded. */
async function sent(options: SendOptions, to = url) {
  const before = executed.length;
  const recordedBefore = records.length;
  const { status, text } = await send(to, { headers: MODERN, ...options });
  const body = await text();
  if (to === url) await expect.poll(() => records.length).toBe(recordedBefore + 1);
  return { status, body, upstream: executed.slice(before), record: records.at(-1) };
}

/** A POST that is sent piece by piece. */
const openRequest = (to: string) =>
  request(to, {
    method: 'POST',
    agent: false,
    headers: {
      ...MODERN,
      authorization: `Bearer ${fixture.server.owner}`,
      'content-type': 'application/json',
    },
  });

const REFUSED = { id: null, error: { code: -32600 } };

describe('without rules, a body in which some parser may find a call that is not recorded never reaches the upstream', () => {
  it.each(hidingBodies)('with $title', async ({ body }) => {
    // Without a body, a call is one without a message.
    const ways = body.length === 0 ? [] : [{ body }, { body, headers: { ...MODERN, ...CHUNKED } }];
    const long = Buffer.concat([Buffer.from(LONG), body]);
    const afterwards = Buffer.concat([body, Buffer.from(LONG)]);
    for (const options of [...ways, { body: long }, { body: afterwards }]) {
      const { status, body: text, upstream, record } = await sent(options);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject(REFUSED);
      expect(upstream).toEqual([]);
      expect(record).toMatchObject({ outcome: 'refused', status: 400, reasons: ['unreadable'] });
    }
  });

  it('with a method that comes after long arguments', async () => {
    const argument = 'x'.repeat(300_000);
    const body = `{"params":{"name":"a","Name":"b","arguments":{"x":"${argument}"}},"id":1,"method":"tools/call"}`;
    for (const headers of [MODERN, { ...MODERN, ...CHUNKED }]) {
      expect(await sent({ body, headers })).toMatchObject({ status: 400, upstream: [] });
    }
  });

  it('with a body that goes wrong in its first part', async () => {
    const body = `{"method":"tools/call","params":{"name":"a","name":"b"},"x":"${'x'.repeat(300_000)}"}`;
    const request = openRequest(url);
    request.write(body.slice(0, 1_000));
    const [{ statusCode }] = await once(request, 'response');
    expect(statusCode).toBe(400);
    request.destroy();
  });

  it('with more messages than a batch may have', async () => {
    const body = JSON.stringify(Array(1_001).fill(CALL));
    expect(await sent({ body })).toMatchObject({ status: 400, upstream: [] });
    const allowed = JSON.stringify(Array(1_000).fill(CALL));
    const { upstream, record } = await sent({ body: allowed });
    expect(upstream).toHaveLength(1);
    expect(record?.messages).toHaveLength(1_000);
  });

  it.each([
    ['a Content-Encoding', gzipSync(JSON.stringify(CALL)), { 'content-encoding': 'gzip' }],
    ['another charset', CALL, { 'content-type': 'application/json; charset=utf-7' }],
    ['another charset, in chunks', CALL, { ...CHUNKED, 'content-type': 'a/b; charset=utf-7' }],
  ])('with %s', async (_, body, headers) => {
    const { status, body: text, upstream } = await sent({ body, headers });
    expect({ status, upstream }).toEqual({ status: 415, upstream: [] });
    expect(JSON.parse(text)).toMatchObject({ code: 'unsupported_media_type' });
  });
});

describe('without rules, what every parser reads alike goes up byte for byte', () => {
  it.each(oddBodies)('despite $title', async ({ body }) => {
    for (const headers of [MODERN, { ...MODERN, ...CHUNKED }]) {
      const { upstream, record } = await sent({ body, headers });
      expect(upstream).toEqual([body]);
      expect(record?.messages).toEqual([{ method: 'tools/call', name: 'allowed' }]);
    }
  });

  it.each([
    ['parameters in an array', { method: 'example/run', params: ['a'] }],
    ['names that differ in case', { method: 'example/run', params: { name: 'a', Name: 'b' } }],
    ['an answer of the client', { id: 1, result: { name: 'a', Name: 'b' } }],
  ])('and so does a message that is no call, with %s', async (_, message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    for (const headers of [MODERN, { ...MODERN, ...CHUNKED }]) {
      expect((await sent({ body, headers })).upstream).toEqual([body]);
    }
  });

  it.each(['tools/call', 'completion/complete', 'subscriptions/listen'])(
    'and a %s without what it needs is recorded as one',
    async (method) => {
      const params = { arguments: {}, notifications: { resourceSubscriptions: 'a:b' } };
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      const { upstream, record } = await sent({ body });
      expect(upstream).toEqual([body]);
      expect(record?.messages).toEqual([{ method }]);
    },
  );
});

it('a client that stops in the middle of a character or a key gets its body through later', async () => {
  const body = Buffer.from(JSON.stringify({ ...CALL, params: { name: 'größe', x: LONG } }));
  const { upstream, record } = await sent({ body, headers: { ...MODERN, ...CHUNKED } });
  expect(upstream).toEqual([body]);
  expect(record?.messages).toEqual([{ method: 'tools/call', name: 'größe' }]);
});

it('where calls are not recorded, a body is relayed unread', async () => {
  const body = Buffer.from('{"method":"tools/call","params":{"name":"a","name":"b"}}');
  const { upstream } = await sent({ body }, fixture.urlOf(integrationId, blind.origin));
  expect(upstream).toEqual([body]);
});
