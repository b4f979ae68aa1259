import { beforeEach, describe, expect, it } from 'vitest';
import { hostileBodies, oddBodies } from '../../mcp/envelope/hostile-bodies.ts';
import { useRules } from './fixture.ts';

const { fixture, ids, setRules, post } = useRules();

const rules = {
  tools: { allow: ['read_*', 'connect_account'], deny: ['read_secrets'] },
  prompts: { deny: ['*'] },
  resources: { allow: ['docs://*'] },
};
const MODERN_META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

const request = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const call = (name: string, id?: unknown) => request('tools/call', { name }, id);

beforeEach(async () => {
  await setRules(rules);
  fixture.upstream.otherwise((exchange) => exchange.respond({ body: { sent: true } }));
});

/** What the upstream got of it. */
async function upstreamGets(body: unknown, headers = {}): Promise<boolean> {
  const before = fixture.upstream.requests.length;
  await post(body, headers);
  return fixture.upstream.requests.length > before;
}

it.each([
  ['a tool that is allowed', call('read_file')],
  ['a prompt list', request('prompts/list')],
  ['a resource that is allowed', request('resources/read', { uri: 'docs://a' })],
  ['initialize', request('initialize', { protocolVersion: '2025-11-25' })],
  ['ping', request('ping')],
  ['a method of another kind', request('elsewhere/do')],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ['a response', { jsonrpc: '2.0', id: 7, result: {} }],
  ['the end of a subscription', request('resources/unsubscribe', { uri: 'secret://a' })],
])('%s goes up', async (_, body) => {
  expect(await upstreamGets(body)).toBe(true);
});

it('what goes up is the body, byte for byte', async () => {
  const body =
    ' {"jsonrpc":"2.0","id" : 12345678901234567890,"method":"tools/call","params":{"name":"read_x","arguments":{"Name":1}}}';
  await post(body);
  expect(fixture.upstream.requests.at(-1)?.body.toString()).toBe(body);
});

it.each([
  ['a tool outside of allow', call('write_file'), 'tool_not_allowed'],
  ['a tool in deny', call('read_secrets'), 'tool_denied'],
  ['a tool as a task', request('tools/call', { name: 'write', task: {} }), 'tool_not_allowed'],
  ['a prompt', request('prompts/get', { name: 'a' }), 'prompt_denied'],
  ['a resource', request('resources/read', { uri: 'secret://a' }), 'resource_not_allowed'],
  ['a subscription', request('resources/subscribe', { uri: 'x://a' }), 'resource_not_allowed'],
  [
    'a resource with dot segments',
    request('resources/read', { uri: 'docs://a/../b' }),
    'resource_not_allowed',
  ],
  [
    'a completion',
    request('completion/complete', { ref: { type: 'ref/prompt', name: 'a' } }),
    'prompt_denied',
  ],
  ['an unknown method of tools', request('tools/describe'), 'method_unknown'],
  [
    'an allowed tool as a task',
    request('tools/call', { name: 'read_a', task: {} }),
    'task_tool_unknown',
  ],
  ['a task', request('tasks/get', { taskId: 'a' }), 'task_tool_unknown'],
  ['the result of a task', request('tasks/result', { taskId: 'a' }), 'task_tool_unknown'],
  ['input for a task', request('tasks/update', { taskId: 'a' }), 'task_tool_unknown'],
  ['the end of a task', request('tasks/cancel', { taskId: 'a' }), 'task_tool_unknown'],
  ['the list of tasks that all share', request('tasks/list'), 'task_list_shared'],
  ['a request that is a response too', { ...call('write_file'), result: {} }, 'tool_not_allowed'],
])('%s is refused, and nothing goes up', async (_, body, code) => {
  const before = fixture.upstream.requests.length;
  const { status, text } = await post(body);
  expect({ status, body: JSON.parse(text) }).toEqual({
    status: 200,
    body: {
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -31003,
        message: expect.stringMatching(/An admin can change this\.$/),
        data: {
          code: 'policy',
          reasons: [{ code, level: 'integration' }],
          integrationId: ids.integrationId,
        },
      },
    },
  });
  expect(fixture.upstream.requests).toHaveLength(before);
});

it('a refused notification is accepted, and nothing goes up', async () => {
  const before = fixture.upstream.requests.length;
  const { status, text } = await post({
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'x' },
  });
  expect({ status, text }).toEqual({ status: 202, text: '' });
  expect(fixture.upstream.requests).toHaveLength(before);
});

it('a batch with a refused request does not go up, and each request learns why', async () => {
  const before = fixture.upstream.requests.length;
  const { text } = await post([call('read_file', 'a'), call('write_file', 'b')]);
  const codes = JSON.parse(text).map(({ id, error }: { id: string; error: { data: object } }) => [
    id,
    error.data,
  ]);
  expect(codes).toMatchObject([
    ['a', { code: 'policy_batch' }],
    ['b', { code: 'policy', reasons: [{ code: 'tool_not_allowed' }] }],
  ]);
  expect(fixture.upstream.requests).toHaveLength(before);
});

describe('a body that two parsers may read differently', () => {
  it.each([
    [
      'a repeated name',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_a","name":"write"}}',
    ],
    [
      'another case of a key',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_a","Name":"write"}}',
    ],
    [
      'repeated parameters',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_a"},"params":{"name":"write"}}',
    ],
    ['text after it', `${JSON.stringify(call('read_a'))} ${JSON.stringify(call('write'))}`],
    ['a byte order mark', `\uFEFF${JSON.stringify(call('read_a'))}`],
    ['no JSON', 'tools/call'],
    ['no body', ''],
    ['an id that is null, of a refused request', JSON.stringify({ ...call('write'), id: null })],
    ['no name', JSON.stringify(request('tools/call'))],
  ])('is refused for %s', async (_, body) => {
    const before = fixture.upstream.requests.length;
    const { status, text } = await post(body);
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 400,
      body: { id: null, error: { code: -32600 } },
    });
    expect(fixture.upstream.requests).toHaveLength(before);
  });

  it.each([
    ['a Content-Encoding', { 'content-encoding': 'gzip' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['an extended charset', { 'content-type': "application/json; charset*=us-ascii''utf-7" }],
    [
      'another charset in a second Content-Type',
      { 'content-type': ['application/json', 'application/json; charset=utf-7'] },
    ],
    ['a second Content-Encoding', { 'content-encoding': ['identity', 'gzip'] }],
  ])('is refused for %s', async (_, headers) => {
    const { status, text } = await post(call('read_file'), headers);
    expect({ status, code: JSON.parse(text).code }).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    });
  });

  it.each([
    ['Mcp-Method', { 'mcp-method': 'tools/list' }, call('read_file')],
    ['Mcp-Name', { 'mcp-name': 'read_other' }, call('read_file')],
    [
      'a missing Mcp-Name',
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      request('tools/call', { name: 'read_file', ...MODERN_META }),
    ],
    [
      'the version',
      { 'mcp-protocol-version': '2025-11-25' },
      request('tools/call', { name: 'read_file', ...MODERN_META }),
    ],
  ])('is refused for %s, which differs', async (_, headers, body) => {
    const { status, text } = await post(body, headers);
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    });
  });

  it('is read in the modern era where headers and body agree', async () => {
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'read_file',
    };
    const body = request('tools/call', { name: 'read_file', ...MODERN_META });
    expect(await upstreamGets(body, headers)).toBe(true);
  });
});

describe('bodies from a collection', () => {
  beforeEach(() => setRules({ tools: { deny: ['denied'] } }));

  it('are refused if two parsers may differ, and nothing goes up', async () => {
    const before = fixture.upstream.requests.length;
    for (const { title, body } of hostileBodies) {
      const { status } = await post(body);
      expect({ title, status }).toEqual({ title, status: 400 });
    }
    expect(fixture.upstream.requests).toHaveLength(before);
  });

  it('go up as they are if all parsers agree', async () => {
    for (const { title, body } of oddBodies) {
      await post(body);
      expect({ title, body: fixture.upstream.requests.at(-1)?.body }).toEqual({ title, body });
    }
  });
});

it('a body above 256 KiB is judged by its end', async () => {
  const long = request('tools/call', { arguments: { text: 'x'.repeat(2_000_000) }, name: 'write' });
  const { text } = await post(long);
  expect(JSON.parse(text).error.code).toBe(-31003);
});

it('rules that are cleared no longer apply', async () => {
  await setRules(null);
  expect(await upstreamGets(call('write_file'))).toBe(true);
});

it('the attachment cannot allow what the integration denies', async () => {
  const path = `/applications/${fixture.applicationId}/integrations/${ids.integrationId}/policy`;
  await fixture.api('PUT', path, { tools: { allow: ['write_file'] } });
  const { text } = await post(call('write_file'));
  expect(JSON.parse(text).error.data.reasons).toEqual([
    { code: 'tool_not_allowed', level: 'integration' },
  ]);
  await fixture.api('PUT', path, null);
});
