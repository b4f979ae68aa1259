import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { useRules } from './fixture.ts';

const { fixture, setRules, post, send } = useRules();

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ENTRIES = '{"name":"read_a","x":12345678901234567890}, {"name":"write_b"} ,{"name":"read_c"}';
const ANSWER = `{"jsonrpc":"2.0","id":1,"result":{"tools":[${ENTRIES}],"nextCursor":"n", "_meta":{"tools":[{"name":"write_b"}]}}}`;
const CUT = ANSWER.replace(', {"name":"write_b"} ,', ',');
const JSON_HEAD = { 'content-type': 'application/json' };
const SSE_HEAD = { 'content-type': 'text/event-stream' };

beforeEach(() => setRules({ tools: { allow: ['read_*'] } }));

/** White space around a cut entry may stay or go. */
const compact = (text: string) => text.replaceAll(/\s/g, '');

it('an entry that is not allowed is cut from JSON', async () => {
  fixture.upstream.once((exchange) => exchange.respond({ body: ANSWER, headers: JSON_HEAD }));
  const { status, headers, text } = await post(LIST);
  expect(status).toBe(200);
  expect(compact(text)).toBe(compact(CUT));
  expect(JSON.parse(text).result._meta.tools).toHaveLength(1);
  expect(headers['content-length']).toBeUndefined();
  expect(fixture.upstream.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
});

it('an entry that is not allowed is cut from an event stream', async () => {
  fixture.upstream.once(async (exchange) => {
    exchange.sendHead(200, SSE_HEAD);
    const events = `: hello\n\nid: 1\ndata: ${ANSWER}\n\n`;
    for (const byte of events) await exchange.send(byte);
    exchange.end();
  });
  const { text } = await post(LIST);
  expect(compact(text)).toBe(compact(`: hello\n\nid: 1\ndata: ${CUT}\n\n`));
});

it('a GET stream that is resumed is filtered too, as it may replay a list', async () => {
  fixture.upstream.once(async (exchange) => {
    exchange.sendHead(200, SSE_HEAD);
    await exchange.sendEvent({ data: ANSWER });
    exchange.end();
  });
  const headers = { 'mcp-protocol-version': '2025-11-25', 'last-event-id': '1' };
  const stream = await send({ method: 'GET', headers });
  expect(compact(await stream.text())).toBe(compact(`data: ${CUT}\n\n`));
});

it('an open GET stream ends when the first rule about names is set', async () => {
  await setRules(null);
  fixture.upstream.once((exchange) => {
    exchange.sendHead(200, SSE_HEAD);
    void exchange.send('data: {}\n\n');
  });
  const stream = await send({ method: 'GET', headers: { 'mcp-protocol-version': '2025-11-25' } });
  await stream.received('data: {}');
  await setRules({ tools: { allow: ['read_*'] } });
  expect(await stream.text()).toBe('data: {}\n\nretry: 5000\n\n');
});

it('a list that any cache may keep is private as soon as rules are about people too', async () => {
  const arriving = fixture.upstream.nextRequest();
  const answering = send({ body: LIST });
  const upstream = await arriving;
  upstream.sendHead(200, JSON_HEAD);
  await upstream.send('{"jsonrpc":"2.0","id":1,"result":{"tools":[],');
  const answer = await answering;
  await answer.received('"tools":[]');
  await setRules({ tools: { allow: ['read_*'] }, roles: ['owner'] });
  await upstream.send('"cacheScope":"public"}}');
  upstream.end();
  expect(JSON.parse(await answer.text()).result.cacheScope).toBe('private');
});

it('lists of other kinds pass unchanged', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"write_b"}]}}';
  fixture.upstream.once((exchange) => exchange.respond({ body, headers: JSON_HEAD }));
  const { text } = await post({ ...LIST, method: 'prompts/list' });
  expect(text).toBe(body);
});

it('a compressed list is refused', async () => {
  const headers = { ...JSON_HEAD, 'content-encoding': 'gzip' };
  fixture.upstream.once((exchange) => exchange.respond({ body: gzipSync(ANSWER), headers }));
  const { status, text } = await post(LIST);
  expect({ status, code: JSON.parse(text).code }).toEqual({
    status: 502,
    code: 'upstream_unreadable',
  });
});

it('a list that cannot be filtered is replaced by an error', async () => {
  const body = ANSWER.replace('"name":"read_a"', '"name":"read_a","name":"write_b"');
  fixture.upstream.once((exchange) => exchange.respond({ body, headers: JSON_HEAD }));
  const { status, text } = await post(LIST);
  expect({ status, body: JSON.parse(text) }).toMatchObject({
    status: 200,
    body: { id: 1, error: { code: -31003 } },
  });
});

it('an event that cannot be filtered ends its stream with an error', async () => {
  const body = ANSWER.replace('"name":"read_a"', '"name":"read_a","name":"write_b"');
  fixture.upstream.once(async (exchange) => {
    exchange.sendHead(200, SSE_HEAD);
    await exchange.sendEvent({ data: { jsonrpc: '2.0', method: 'notifications/x' } });
    await exchange.sendEvent({ data: body });
  });
  const { text } = await post(LIST);
  expect(text).toContain('notifications/x');
  expect(text).toContain('-31002');
  expect(text).not.toContain('write_b');
});

it('a failure of the upstream passes', async () => {
  const headers = { 'content-type': 'text/html' };
  fixture.upstream.once((exchange) => exchange.respond({ status: 500, body: '<p>', headers }));
  const { status, text } = await post(LIST);
  expect({ status, text }).toEqual({ status: 500, text: '<p>' });
});
