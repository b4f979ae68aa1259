import type { JsonObject } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { curlOf } from '../src/views/playground/curl.ts';
import {
  initialValues,
  parseArguments,
  readArguments,
  valuesFor,
} from '../src/views/playground/form/arguments.ts';
import { fieldsOf } from '../src/views/playground/form/fields.ts';
import { shortened } from '../src/views/playground/limits.ts';
import { createGatewayClient } from '../src/views/playground/mcp/client.ts';
import { createEventReader } from '../src/views/playground/mcp/events.ts';
import { CallRefused } from '../src/views/playground/mcp/exchange.ts';
import { LISTS, type Listed, listedIn } from '../src/views/playground/mcp/listed.ts';
import { headerValueOf, mirroredParams, responseIn } from '../src/views/playground/mcp/messages.ts';
import { callResultOf } from '../src/views/playground/mcp/result.ts';

describe('an event stream', () => {
  it.each([
    ['in one piece', ['data: one\n\ndata: two\n\n'], ['one', 'two']],
    ['byte by byte', [...'id: 1\r\ndata: one\r\n\r\ndata:two\r\n\r\n'], ['one', 'two']],
    ['with lines of CR alone', ['data: one\r\rdata: two\r\r', ' '], ['one', 'two']],
    ['with comments and other fields', [': hi\nevent: x\nretry: 5\ndata: one\n\n'], ['one']],
    ['with data of several lines', ['data: a\ndata:  b\ndata\n\n'], ['a\n b\n']],
    ['that ends within an event', ['data: one\n\ndata: tw'], ['one']],
    ['with an event without data', ['id: 7\n\n'], []],
  ])('is read %s', (_how, pieces, events) => {
    const read = createEventReader();
    expect(pieces.flatMap((piece) => read(piece))).toEqual(events);
  });
});

describe('a response', () => {
  it('answers the request with its id', () => {
    expect(responseIn('{"jsonrpc":"2.0","id":2,"result":{}}', 1)).toBeUndefined();
    expect(responseIn('{"jsonrpc":"2.0","id":1,"result":{"a":1}}', 1)).toEqual({
      kind: 'result',
      result: { a: 1 },
    });
    const failed = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"No"}}';
    expect(responseIn(failed, 1)).toEqual({ kind: 'error', code: -32700, message: 'No' });
  });

  it.each(['', 'x', '[]', 'null', '{}', '{"id":1}', '{"id":1,"error":{"code":"x"}}'])(
    'is nothing in %j',
    (text) => {
      expect(responseIn(text, 1)).toBeUndefined();
    },
  );
});

describe('headers of 2026-07-28', () => {
  it('carry plain ASCII as it is, and everything else as Base64', () => {
    expect(headerValueOf('get_weather')).toBe('get_weather');
    expect(headerValueOf(' x')).toBe('=?base64?IHg=?=');
    expect(headerValueOf('größe\n')).toBe(`=?base64?${btoa('gr\u00c3\u00b6\u00c3\u009fe\n')}?=`);
    expect(headerValueOf('=?base64?eA==?=')).toMatch(/^=\?base64\?PT9i/);
  });

  it('mirror the arguments that a schema names, and no other', () => {
    const schema = {
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        bad: { type: 'string', 'x-mcp-header': 'a b\r\nx: y' },
        deep: {
          type: 'object',
          'x-mcp-header': 'Deep',
          properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } },
        },
        many: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Many' } },
        secret: { type: 'string' },
      },
    };
    const args = {
      region: 'eu',
      count: 2,
      bad: 'x',
      deep: { zone: 'b' },
      many: ['z'],
      secret: 'y',
    };
    expect(mirroredParams(schema, args)).toEqual([
      ['mcp-param-Region', 'eu'],
      ['mcp-param-Count', '2'],
      ['mcp-param-Zone', 'b'],
    ]);
  });
});

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', description: 'Where.' },
    days: { type: 'integer', default: 3 },
    ratio: { type: ['number', 'null'] },
    isLong: { type: 'boolean' },
    unit: { enum: ['C', 'F', 7, null] },
    filter: { type: 'object' },
    ['__proto__']: { type: 'string' },
  },
  required: ['city', 'unit'],
};

describe('the form of a tool', () => {
  const fields = fieldsOf(JSON.parse(JSON.stringify(SCHEMA))) ?? [];
  const read = (typed: Record<string, string>) =>
    readArguments(fields, new Map([...initialValues(fields), ...Object.entries(typed)]));

  it('has a field of its kind for each property', () => {
    expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ['city', 'text', true],
      ['days', 'integer', false],
      ['ratio', 'number', false],
      ['isLong', 'boolean', false],
      ['unit', 'choice', true],
      ['filter', 'json', false],
      ['__proto__', 'text', false],
    ]);
    expect(fields[0]).toMatchObject({ label: 'City', hint: 'Where.' });
    expect(fields[1]).toMatchObject({ label: 'days', hint: undefined, initial: '3' });
  });

  it('gives the arguments in their types, and leaves out what is not typed in', () => {
    const typed = { city: 'Oslo', unit: '2', ratio: '1.5', isLong: 'false', filter: '{"a":[1]}' };
    expect(read(typed)).toEqual({
      args: { city: 'Oslo', days: 3, ratio: 1.5, isLong: false, unit: 7, filter: { a: [1] } },
      errors: new Map(),
    });
    expect(read({ unit: '0', days: '' }).args).toEqual({ city: '', unit: 'C' });
  });

  it('says at its field what is missing or wrong', () => {
    const { errors } = read({ days: '1.5', ratio: 'x', filter: '{' });
    expect(Object.fromEntries(errors)).toEqual({
      days: 'Must be a whole number.',
      ratio: 'Must be a number.',
      unit: 'The tool requires this.',
      filter: 'Must be JSON, such as [] or {"key": "value"}.',
    });
  });

  it('goes to JSON and back without a loss, and stays with JSON where there would be one', () => {
    const { args } = read({ city: 'Oslo', unit: '3', filter: '[1]' });
    expect(readArguments(fields, valuesFor(fields, args) ?? new Map()).args).toEqual(args);
    for (const other of [
      { ...args, more: 1 },
      { ...args, city: 5 },
      { ...args, unit: 'K' },
    ]) {
      expect(valuesFor(fields, other)).toBeUndefined();
    }
  });

  it.each([
    ['no schema', undefined, 0],
    ['a schema without properties', { type: 'object' }, 0],
    ['a schema of another kind', 'x', undefined],
    ['properties of another kind', { properties: [] }, undefined],
    [
      'too many properties',
      {
        properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, {}])),
      },
      undefined,
    ],
  ])('of %s is JSON where fields cannot be made', (_what, schema, count) => {
    expect(fieldsOf(schema)?.length).toBe(count);
  });

  it('takes a JSON object alone where everything is typed in as JSON', () => {
    expect(parseArguments('')).toEqual({ args: {} });
    expect(parseArguments('[]')).toEqual({ error: 'Must be a JSON object.' });
    expect(parseArguments('{"__proto__":{"a":1}}')).toHaveProperty('args');
  });
});

const entriesIn = (kind: keyof typeof LISTS, result: JsonObject) =>
  LISTS[kind].flatMap((list) => listedIn(kind, list, result));

describe('what is listed', () => {
  it.each([[{}], [{ tools: 'x' }], [{ tools: [null, 1, { name: 5 }] }]])(
    'has no tool in %j',
    (result) => {
      expect(entriesIn('tools', result as JsonObject)).toEqual([]);
    },
  );

  it('has the arguments of a prompt as texts', () => {
    const args = [
      { name: 'whom', description: 'Their name.', required: true },
      { name: 'tone' },
      5,
    ];
    const [prompt] = entriesIn('prompts', { prompts: [{ name: 'greet', arguments: args }] });
    const fields = fieldsOf(JSON.parse(JSON.stringify(prompt?.inputSchema))) ?? [];
    expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ['whom', 'text', true],
      ['tone', 'text', false],
    ]);
    expect(fields[0]?.hint).toBe('Their name.');
  });

  it('has resources by their URIs, and templates that the person fills in', () => {
    const resources = [{ uri: 'a://1', name: 'First' }];
    const resourceTemplates = [{ uriTemplate: 'a://{n}', name: 'Any', title: 'Any of them' }];
    const entries = entriesIn('resources', { resources, resourceTemplates });
    expect(entries.map(({ name, title }) => [name, title])).toEqual([
      ['a://1', 'First'],
      ['a://{n}', 'Any of them'],
    ]);
    const [, template] = entries;
    expect(fieldsOf(template?.inputSchema)).toMatchObject([{ name: 'uri', initial: 'a://{n}' }]);
  });
});

describe('a result', () => {
  it('shows who says what in a prompt', () => {
    const content = { type: 'text', text: 'Greet Ada.' };
    const picture = { type: 'image', data: 'AA==' };
    const { texts, others } = callResultOf({
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: [picture] },
      ],
    });
    expect([texts, others]).toEqual([['user: Greet Ada.'], [picture]]);
  });

  it('shows the texts of a resource, and what else it holds', () => {
    const contents = [{ uri: 'a://1', text: 'one' }, { uri: 'a://2', blob: 'AA==' }, 7];
    const { texts, others } = callResultOf({ contents });
    expect([texts, others]).toEqual([['one'], [contents[1]]]);
  });
});

describe('a long text', () => {
  it('is cut, and says so', () => {
    expect(shortened('abc')).toEqual({ text: 'abc', sentence: undefined });
    const { text, sentence } = shortened('x'.repeat(250_000));
    expect(text).toHaveLength(100_000);
    expect(sentence).toBe('Only the first 100,000 of 250,000 characters are shown.');
    expect(shortened('x', true).sentence).toMatch(/more than 1 characters/);
  });
});

describe('the curl command', () => {
  it('quotes everything, and holds no token', () => {
    const command = curlOf("https://gatehouse.example/mcp/a/b'$(id)", {
      method: 'POST',
      headers: [['mcp-name', "it's `x` $HOME"]],
      body: `{"a":"'"}`,
    });
    expect(command).toContain(`'https://gatehouse.example/mcp/a/b'\\''$(id)'`);
    expect(command).toContain(`-H 'mcp-name: it'\\''s \`x\` $HOME'`);
    expect(command).toContain(`--data-raw '{"a":"'\\''"}'`);
    expect(command).toContain('"authorization: Bearer $GATEHOUSE_TOKEN"');
  });

  it('begins a session first where the call has one', () => {
    const headers = [
      ['content-type', 'application/json'],
      ['mcp-session-id', 'of-this-page'],
    ] as const;
    const command = curlOf('https://g.example/mcp/a/b', { method: 'POST', headers, body: '{}' });
    expect(command).toMatch(/^MCP_SESSION=\$\(curl [\s\S]*"initialize"/);
    expect(command).toContain('"mcp-session-id: $MCP_SESSION"');
    expect(command).not.toContain('of-this-page');
  });
});

type Respond = (message: Record<string, unknown>, headers: Headers, method: string) => Response;

function clientOver(respond: Respond, era?: 'legacy' | 'modern') {
  const sent: [method: string, session: string | null, token: string | null][] = [];
  let tokens = 0;
  const drop = () => {
    tokens += 1;
  };
  const client = createGatewayClient(
    {
      path: '/mcp/a/b',
      now: () => 0,
      tokens: { current: async () => `t${tokens}`, drop },
      fetch: async (_path, { method = '', body, headers }) => {
        const given = new Headers(headers);
        const message = body == null ? {} : JSON.parse(String(body));
        sent.push([
          String(message.method ?? method),
          given.get('mcp-session-id'),
          given.get('authorization'),
        ]);
        return respond(message, given, method);
      },
    },
    era,
  );
  return { client, sent, methods: () => sent.map(([method]) => method) };
}

const rpc = (id: unknown, result: unknown, headers = {}) =>
  Response.json({ jsonrpc: '2.0', id, result }, { headers });
const TOOLS = { tools: [{ name: 'echo' }] };
const ECHO: Listed = {
  ...{ kind: 'tools', name: 'echo', title: undefined },
  ...{ description: undefined, inputSchema: undefined },
};
const { signal } = new AbortController();

/** A legacy server with sessions, as the official SDK writes them. */
function legacyServer(): Respond {
  let sessions = 0;
  return ({ id, method }, headers, http) => {
    if (http === 'DELETE') return new Response(null, { status: 204 });
    if (method === 'initialize') {
      sessions += 1;
      const given = { 'mcp-session-id': `s${sessions}` };
      return rpc(id, { protocolVersion: '2025-11-25', capabilities: {} }, given);
    }
    const session = headers.get('mcp-session-id');
    if (session === null) {
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
    }
    if (session !== `s${sessions}`) return new Response(null, { status: 404 });
    if (id === undefined) return new Response(null, { status: 202 });
    return rpc(id, method === 'tools/list' ? TOOLS : { content: [] });
  };
}

describe('a client of the gateway', () => {
  it('speaks the newer era with a server that has it, and ends no session', async () => {
    const { client, methods } = clientOver(({ id, method }) =>
      rpc(id, method === 'tools/list' ? TOOLS : {}),
    );
    expect(await client.list('tools', signal)).toMatchObject({ era: 'modern', entries: [ECHO] });
    client.close();
    await Promise.resolve();
    expect(methods()).toEqual(['server/discover', 'tools/list']);
  });

  it('begins a session with an older server, keeps it, and ends it', async () => {
    const { client, sent, methods } = clientOver(legacyServer());
    expect(await client.list('tools', signal)).toMatchObject({ era: 'legacy', entries: [ECHO] });
    await client.call(ECHO, {}, signal);
    client.close();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(methods()).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
      'DELETE',
    ]);
    expect(sent.at(-1)?.[1]).toBe('s1');
  });

  it('begins another session where the first has ended', async () => {
    const respond = legacyServer();
    const { client, sent } = clientOver(respond, 'legacy');
    await client.list('tools', signal);
    respond({ id: 0, method: 'initialize' }, new Headers(), 'POST');
    const { answer } = await client.call(ECHO, {}, signal);
    expect(answer.kind).toBe('result');
    expect(sent.at(-1)?.slice(0, 2)).toEqual(['tools/call', 's3']);
  });

  it('takes the refusal of Gatehouse for no sign of an older server', async () => {
    const refusals: Respond[] = [
      () =>
        Response.json(
          { detail: 'A rule excludes you.', requestId: 'r1' },
          { status: 403, headers: { 'content-type': 'application/problem+json' } },
        ),
      ({ id }) =>
        Response.json({ jsonrpc: '2.0', id, error: { code: -31001, message: 'Connect.' } }),
    ];
    for (const respond of refusals) {
      const { client, methods } = clientOver(respond);
      await expect(client.list('tools', signal)).rejects.toBeInstanceOf(CallRefused);
      expect(methods()).toEqual(['server/discover']);
    }
  });

  it('gets another token, once, where its own has ended', async () => {
    const { client, sent } = clientOver(({ id }, headers) =>
      headers.get('authorization') === 'Bearer t0'
        ? new Response(null, { status: 401 })
        : rpc(id, TOOLS),
    );
    await client.list('tools', signal);
    expect(sent.map(([, , token]) => token)).toEqual(['Bearer t0', 'Bearer t1', 'Bearer t1']);
    const never = clientOver(() => new Response(null, { status: 401 }));
    await expect(never.client.list('tools', signal)).rejects.toBeInstanceOf(CallRefused);
    expect(never.sent).toHaveLength(2);
  });

  it('reads an event stream up to its answer, and no further', async () => {
    let isCancelled = false;
    const stream = (id: unknown) =>
      new ReadableStream({
        start(controller) {
          const note = { jsonrpc: '2.0', method: 'notifications/progress' };
          const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'ü' }] } };
          for (const each of [note, answer]) {
            controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(each)}\n\n`));
          }
        },
        cancel() {
          isCancelled = true;
        },
      });
    const { client } = clientOver(({ id, method }) =>
      method === 'tools/call'
        ? new Response(stream(id), { headers: { 'content-type': 'text/event-stream' } })
        : rpc(id, TOOLS),
    );
    const { answer } = await client.call(ECHO, {}, signal);
    expect(answer).toEqual({ kind: 'result', result: { content: [{ type: 'text', text: 'ü' }] } });
    expect(isCancelled).toBe(true);
  });

  it('stops reading an answer that does not end', async () => {
    const piece = new TextEncoder().encode('x'.repeat(1024 * 1024));
    const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
    const { client } = clientOver(({ id, method }) =>
      method === 'tools/call' ? new Response(endless()) : rpc(id, TOOLS),
    );
    const { isCut, body } = await client.call(ECHO, {}, signal);
    expect([isCut, body.length < 6 * 1024 * 1024]).toEqual([true, true]);
  });

  it('lists the pages of a list, and says where it stops', async () => {
    const { client, methods } = clientOver(({ id, method }) =>
      rpc(id, method === 'tools/list' ? { ...TOOLS, nextCursor: 'more' } : {}),
    );
    const { entries, isPartial } = await client.list('tools', signal);
    expect([entries.length, isPartial, methods().length]).toEqual([20, true, 21]);
  });

  it('asks for no list of what the server does not have, and does without templates', async () => {
    const { client, methods } = clientOver(({ id, method }) => {
      if (method === 'server/discover') return rpc(id, { capabilities: { resources: {} } });
      if (method === 'resources/list') return rpc(id, { resources: [{ uri: 'a://1' }] });
      const error = { code: -32601, message: 'Method not found' };
      return Response.json({ jsonrpc: '2.0', id, error });
    });
    expect((await client.list('prompts', signal)).entries).toEqual([]);
    const { entries } = await client.list('resources', signal);
    expect(entries.map(({ name }) => name)).toEqual(['a://1']);
    expect(methods()).toEqual(['server/discover', 'resources/list', 'resources/templates/list']);
  });

  it('names what it calls in a header too', async () => {
    const seen: unknown[] = [];
    const { client } = clientOver(({ id, method, params }, headers) => {
      if (method !== 'server/discover') {
        const { _meta, ...rest } = params as Record<string, unknown>;
        seen.push([method, rest, headers.get('mcp-name')]);
      }
      return rpc(id, {});
    });
    const call = (listed: Partial<Listed>, args: JsonObject) =>
      client.call({ ...ECHO, ...listed }, args, signal);
    await call({ kind: 'prompts', name: 'greet' }, { whom: 'Ada' });
    await call({ kind: 'resources', name: 'a://1' }, {});
    await call({ kind: 'resources', name: 'a://{n}' }, { uri: 'a://2' });
    expect(seen).toEqual([
      ['prompts/get', { name: 'greet', arguments: { whom: 'Ada' } }, 'greet'],
      ['resources/read', { uri: 'a://1' }, 'a://1'],
      ['resources/read', { uri: 'a://2' }, 'a://2'],
    ]);
  });

  it('reads how the integrations behind the one URL are', async () => {
    const integrations = [{ id: 'i1', alias: 'a', state: 'late', count: 0 }, { id: 7 }, null];
    const { client } = clientOver(({ id }) =>
      rpc(id, { ...TOOLS, _meta: { 'gatehouse/integrations': integrations } }),
    );
    expect([...(await client.list('tools', signal)).states]).toEqual([['i1', 'late']]);
  });
});
