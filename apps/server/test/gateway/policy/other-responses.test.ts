import { beforeAll, expect, it } from 'vitest';
import { useRules } from './fixture.ts';

const { fixture, setRules, post, send } = useRules();

beforeAll(() => setRules({ tools: { deny: ['denied'] } }));

const TOOLS = '{"tools":[{"name":"denied"}]}';
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const requestOf = (method: string, params = {}) => ({ jsonrpc: '2.0', id: 2, method, params });
const event = (id: string, result: string) =>
  `data: {"jsonrpc":"2.0","id":${id},"result":${result}}\n\n`;

/** The upstream answers the next request so. */
function answerWith(headers: Record<string, string | string[]>, body: string, status = 200): void {
  fixture.upstream.once((exchange) => exchange.respond({ status, headers, body }));
}

it.each([
  ['prompts/list', requestOf('prompts/list')],
  ['tools/call', requestOf('tools/call', { name: 'fine' })],
  ['ping', requestOf('ping')],
])('a list of tools cannot come in the stream of %s', async (_, body) => {
  answerWith({ 'content-type': 'text/event-stream' }, `${event('1', TOOLS)}${event('2', '{}')}`);
  const { text } = await post(body);
  expect(text).toBe(event('2', '{}'));
});

it('a list of tools cannot answer a notification', async () => {
  answerWith({ 'content-type': 'text/event-stream' }, event('1', TOOLS));
  const { text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(text).toBe('');
});

it('the answer to another request is refused in JSON', async () => {
  answerWith({ 'content-type': 'application/json' }, `{"id":1,"result":${TOOLS}}`);
  const { status, text } = await post(requestOf('prompts/list'));
  expect({ status, body: JSON.parse(text) }).toMatchObject({
    status: 200,
    body: { id: 2, error: { code: -31003 } },
  });
});

it('a refusal of the request keeps its status, with an error that has no id', async () => {
  const error = '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad"}}';
  answerWith({ 'content-type': 'application/json' }, error, 400);
  expect(await post(LIST)).toMatchObject({ status: 400, text: error });
  answerWith({ 'content-type': 'application/json' }, `{"id":1,"result":${TOOLS}}`, 400);
  expect(await post(LIST)).toMatchObject({ status: 400, text: '' });
});

it.each([
  ['text/event-stream, text/html'],
  ['text/event-streamx'],
  ['text/event-stream; x=application/json'],
  ['text/event-stream; charset=utf-16'],
  ['text/plain; x=text/event-stream'],
  ['text/plain'],
  ['application/json, text/event-stream'],
  ['application/json; x=text/event-stream'],
  ['application/vnd.list+json'],
  ['application/jsonl'],
  ['application/json; charset=utf-7'],
  [['application/json', 'text/event-stream']],
  [['text/html', 'text/event-stream']],
  [[]],
])('a list with the Content-Type %j is refused', async (type) => {
  const listed = event('2', TOOLS);
  answerWith({ 'content-type': type }, listed);
  const { status, text } = await post(LIST);
  expect({ status, ...JSON.parse(text) }).toMatchObject({
    status: 502,
    code: 'upstream_unreadable',
  });
});

it.each(['text/event-stream', 'Text/Event-Stream ;charset="UTF-8"', 'text/event-stream;v=1'])(
  'a list with the Content-Type %j is filtered',
  async (type) => {
    answerWith({ 'content-type': type }, event('2', TOOLS));
    expect((await post(LIST)).text).toBe(event('2', '{"tools":[]}'));
  },
);

it.each([
  ['a stream that begins with JSON', 'text/event-stream', `{"id":2,"result":${TOOLS}}\n\n`],
  ['JSON that begins with a stream', 'application/json', event('2', TOOLS)],
  [
    'JSON with more after it',
    'application/json',
    `{"id":2,"result":{}} {"id":2,"result":${TOOLS}}`,
  ],
  ['JSON in UTF-16', 'application/json', `\uFEFF\u0000{\u0000"`],
  ['two ids', 'application/json', `{"id":1,"id":2,"result":${TOOLS}}`],
  ['an id in capitals', 'application/json', `{"id":2,"ID":1,"result":${TOOLS}}`],
  ['two results', 'application/json', `{"id":2,"result":{},"result":${TOOLS}}`],
])('%s is not passed on as a list', async (_, type, body) => {
  answerWith({ 'content-type': type }, body);
  const { text } = await post(LIST);
  expect(text).not.toContain('denied');
  expect(text).toMatch(/-3100[23]/);
});

it('lines that end with CR alone are lines', async () => {
  const listed = `${event('1', TOOLS)}${event('2', TOOLS)}`.replaceAll('\n', '\r');
  answerWith({ 'content-type': 'text/event-stream' }, listed);
  const { text } = await post(LIST);
  expect(text).toBe(event('2', '{"tools":[]}').replaceAll('\n', '\r'));
});

it('a message in several lines of data is one message', async () => {
  const listed = `data: {"id":1,\ndata: "result":${TOOLS}}\n\ndata: {"id":\ndata:2,"result":{}}\n\n`;
  answerWith({ 'content-type': 'text/event-stream' }, listed);
  const { text } = await post(LIST);
  expect(text).toBe('data: {"id":\ndata:2,"result":{}}\n\n');
});

it('a GET stream has no responses, unless it is resumed', async () => {
  const note = 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n';
  const headers = { 'mcp-protocol-version': '2025-11-25' };
  const read = async (more = {}) => {
    answerWith({ 'content-type': 'text/event-stream' }, `${event('1', '{"x":1}')}${note}`);
    return (await send({ method: 'GET', headers: { ...headers, ...more } })).text();
  };
  expect(await read()).toBe(note);
  expect(await read({ 'last-event-id': '1' })).toBe(`${event('1', '{"x":1}')}${note}`);
});

it('the messages of a batch have one answer each', async () => {
  const batch = [LIST, { ...requestOf('prompts/list'), id: 'b' }];
  const answers = [event('"b"', '{}'), event('7', TOOLS), event('"b"', TOOLS), event('2.0', TOOLS)];
  answerWith({ 'content-type': 'text/event-stream' }, answers.join(''));
  const { text } = await post(batch);
  expect(text).toBe(`${event('"b"', '{}')}${event('2.0', '{"tools":[]}')}`);
});
