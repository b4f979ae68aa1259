import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '@gatehouse/testing';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { longestHold } from '../../support/holds.ts';
import { use } from '../../support/use.ts';
import { initializeBody } from '../connect-fixture.ts';
import { type Answer, clientOf, type SendOptions, startGateway, useFixture } from '../fixture.ts';
import { newApplication } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

/** Milliseconds that a batch may hold the process. */
const HOLD = 50;

const fixture = useFixture();
const [one, two] = [use(() => startScriptedServer('one')), use(() => startScriptedServer('two'))];
const modern = use(() => startScriptedServer('modern'));
const narrow = use(() =>
  startGateway(fixture.server.store, { limits: { keptBytesInAll: 512 * 1024 } }),
);
let applicationId: string;
let ids: Record<string, string>;
let headers: Record<string, string>;

const post = (options: SendOptions, origin = fixture.server.origin) =>
  clientOf(fixture.server.owner)(`${origin}/mcp/${applicationId}`, options);
const batch = (body: unknown, signal?: AbortSignal) =>
  post({ headers, body, ...(signal && { signal }) });

async function initialize(version: string): Promise<Record<string, string>> {
  const { headers: answered } = await post({ body: initializeBody(version) });
  return { 'mcp-session-id': String(answered['mcp-session-id']) };
}

beforeAll(async () => {
  applicationId = await newApplication(fixture);
  const attach = async (
    name: string,
    url: string,
    ...eras: Parameters<typeof fixture.integrate>[1][]
  ) => {
    const id = await fixture.integrate({ name, url }, ...eras);
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    return id;
  };
  ids = {
    one: await attach('One', one.url),
    two: await attach('Two', two.url),
    modern: await attach('Modern', modern.url, { legacy: null, modern: '2026-07-28' }),
  };
});

beforeEach(async () => {
  headers = await initialize('2025-03-26');
});

afterEach(async () => {
  for (const server of [one, two, modern]) {
    for (const method of ['tools/call', 'tools/list']) server.on(method, undefined);
  }
  for (const id of Object.values(ids)) await fixture.api('PUT', `/integrations/${id}/policy`, null);
});

const request = (id: unknown, method: string, params: object = {}) => {
  return { jsonrpc: '2.0', id, method, params };
};
const call = (id: unknown, name: string, args: object = {}) =>
  request(id, 'tools/call', { name, arguments: args });
const notification = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params });

// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a message
type Sent = any;

function messagesOf(text: string): Sent[] {
  const lines = Buffer.from(text, 'latin1').toString().split('\n');
  return lines.flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
}

/** All messages of an answer that is an event stream, by their ids; those without one under `undefined`. */
async function answersTo(sent: Promise<Answer>): Promise<ReadonlyMap<unknown, Sent>> {
  const { status, headers: head, text } = await sent;
  expect({ status, type: head['content-type'] }).toEqual({
    status: 200,
    type: 'text/event-stream',
  });
  const messages = messagesOf(await text());
  const answers = new Map(messages.map((message) => [message.id, message]));
  expect(answers.size).toBe(messages.length);
  return answers;
}

const textIn = (message: Sent) => message?.result.content[0].text;
const lastOf = (server: typeof one) => server.received('tools/call').at(-1) as Exchange;

describe('a batch', () => {
  it('sends each message its own way, and answers all in one stream', async () => {
    await fixture.api('PUT', `/integrations/${ids.two}/policy`, { tools: { deny: ['secret'] } });
    const answers = await answersTo(
      batch([
        call(1, 'one__echo'),
        call('b', 'two__echo'),
        call(3, 'none__echo'),
        call(4, 'two__secret'),
        request(5, 'ping'),
        request(6, 'tools/list'),
        call(7, 'modern__echo'),
        request(8, 'tools/forget'),
        notification('notifications/initialized'),
      ]),
    );
    expect([...answers.keys()].sort()).toEqual([1, 3, 4, 5, 6, 7, 8, 'b']);
    expect(textIn(answers.get(1))).toBe('one');
    expect(textIn(answers.get('b'))).toBe('two');
    expect(answers.get(3).error.code).toBe(-32602);
    expect(answers.get(4).error).toMatchObject({ code: -31003, data: { code: 'policy' } });
    expect(answers.get(5).result).toEqual({});
    expect(answers.get(6).result.tools.map(({ name }: Sent) => name)).toContain('one__echo');
    expect(textIn(answers.get(7))).toBe('modern');
    expect(answers.get(8).error.code).toBe(-32601);
    expect(two.requests.every(({ body }) => !body.includes('secret'))).toBe(true);
  });

  it('keeps each message, byte for byte but for the name', async () => {
    const answer = '{"jsonrpc":"2.0","id":98765432109876543210,"result":{"big":1e400}}';
    one.on('tools/call', ({ respond }) =>
      respond({ headers: { 'content-type': 'application/json' }, body: answer }),
    );
    const text = (name: string) =>
      `{ "jsonrpc":"2.0", "id":98765432109876543210,"method":"tools/call","params":{"name":"${name}", "arguments":{"big":1e400}}}`;
    const { text: read } = await batch(
      ` [ ${text('one__echo')} , ${JSON.stringify(request(2, 'ping'))}]`,
    );
    expect(await read()).toContain(`data: ${answer}\n`);
    expect(lastOf(one).request.body.toString()).toBe(text('echo'));
  });

  it('counts each message for the limits alone', async () => {
    await fixture.api('PUT', `/integrations/${ids.one}/policy`, { limits: { perMinute: 2 } });
    const sent = [1, 2, 3, 4].map((id) => call(id, id === 4 ? 'two__echo' : 'one__echo'));
    const answers = await answersTo(batch(sent));
    const results = [1, 2, 3, 4].map((id) => answers.get(id).error?.code ?? 'answered');
    expect(results.sort()).toEqual([-31004, 'answered', 'answered', 'answered'].sort());
    expect(textIn(answers.get(4))).toBe('two');
  });

  it('answers what is answered while one message hangs', async () => {
    two.on('tools/call', () => {});
    const { received, text } = await batch([
      call(1, 'two__echo'),
      call(2, 'one__echo'),
      request(3, 'ping'),
    ]);
    await received('"id":3');
    const answered = messagesOf(await received('"id":2'));
    expect(answered.map(({ id }) => id).sort()).toEqual([2, 3]);
    await expect.poll(() => two.received('tools/call').length).toBeGreaterThan(0);
    lastOf(two).respondResult({ content: [{ type: 'text', text: 'late' }] });
    expect(
      messagesOf(await text())
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3]);
  });

  it('passes what servers send during it, event by event', async () => {
    one.on('tools/call', async (exchange) => {
      exchange.startSse();
      await exchange.sendEvent({ id: '7', data: notification('notifications/message', { a: 1 }) });
      await exchange.sendEvent({ data: request(17, 'roots/list') });
    });
    const { received, text } = await batch([call(1, 'one__echo'), call(2, 'two__echo')]);
    const [asked] = messagesOf(await received('roots/list')).filter(
      ({ method }) => method === 'roots/list',
    );
    expect(asked.id).toMatch(/^gatehouse\./);
    const answer = { jsonrpc: '2.0', id: asked.id, result: { roots: [] } };
    const answered = await batch([answer, notification('notifications/roots/list_changed')]);
    expect({ status: answered.status, text: await answered.text() }).toEqual({
      status: 202,
      text: '',
    });
    await expect
      .poll(() => one.requests.map(({ body }) => body.toString()))
      .toContain('{"jsonrpc":"2.0","id":17,"result":{"roots":[]}}');
    await expect.poll(() => one.received('notifications/roots/list_changed')).toHaveLength(1);
    await lastOf(one).sendEvent({ data: { jsonrpc: '2.0', id: 1, result: {} } });
    lastOf(one).end();
    const messages = messagesOf(await text());
    expect(
      messages
        .map(({ id }) => id)
        .filter(Number.isInteger)
        .sort(),
    ).toEqual([1, 2]);
    expect(await text()).toMatch(/^id: [0-9a-f-]{36}\.7$/m);
  });

  it('is cancelled message by message', async () => {
    one.on('tools/call', () => {});
    modern.on('tools/call', () => {});
    const seen = modern.received('tools/call').length;
    const cancelled = (requestId: number) => notification('notifications/cancelled', { requestId });
    const { received, text } = await batch([
      call(1, 'one__echo'),
      call(2, 'modern__echo'),
      call(3, 'two__echo'),
    ]);
    await received('"id":3');
    await expect.poll(() => modern.received('tools/call').length).toBeGreaterThan(seen);
    await batch([cancelled(1), cancelled(2)]);
    await expect.poll(() => one.received('notifications/cancelled').length).toBeGreaterThan(0);
    expect(await lastOf(modern).closed).toBe('aborted');
    lastOf(one).startSse();
    lastOf(one).end();
    expect(messagesOf(await text()).map(({ id }) => id)).toEqual([3]);
  });

  it('ends upstream once its client leaves', async () => {
    for (const server of [one, two, modern]) server.on('tools/call', () => {});
    const before = [one, two, modern].map((server) => server.received('tools/call').length);
    const { received, abort } = await batch([
      call(1, 'one__echo'),
      call(2, 'two__echo'),
      call(3, 'modern__echo'),
      request(4, 'ping'),
    ]);
    await received('"id":4');
    await expect
      .poll(() => [one, two, modern].map((server) => server.received('tools/call').length))
      .toEqual(before.map((count) => count + 1));
    abort();
    for (const server of [one, two, modern]) expect(await lastOf(server).closed).toBe('aborted');
  });
});

it('the transport of the official client takes what a batch is answered with', async () => {
  const url = new URL(`${fixture.server.origin}/mcp/${applicationId}`);
  const authorization = `Bearer ${fixture.server.owner}`;
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization } },
  });
  const received = new Map<unknown, Sent>();
  transport.onmessage = (message: Sent) => received.set(message.id, message);
  await transport.start();
  await transport.send(initializeBody('2025-03-26') as JSONRPCMessage);
  await expect.poll(() => received.get(1)?.result.protocolVersion).toBe('2025-03-26');
  transport.setProtocolVersion('2025-03-26');
  const batched = [call(2, 'one__echo'), call(3, 'none__echo'), request(4, 'ping')];
  await transport.send(batched as JSONRPCMessage[]);
  await expect.poll(() => received.size).toBe(4);
  expect(textIn(received.get(2))).toBe('one');
  expect(received.get(3).error.code).toBe(-32602);
  await transport.terminateSession();
  await transport.close();
});

describe('an integration with faults, in a batch', () => {
  const faulty: [string, (exchange: Exchange) => unknown, object][] = [
    ['breaks off', ({ drop }) => drop(), { code: -31005, data: { code: 'upstream_unreachable' } }],
    ['fails', ({ respond }) => respond({ status: 500 }), { data: { code: 'upstream_status' } }],
    [
      'sends no message',
      ({ respond }) => respond({ headers: { 'content-type': 'text/html' }, body: '<p>' }),
      { code: -31005, data: { code: 'upstream_invalid' } },
    ],
    [
      'sends half a message',
      ({ respond }) =>
        respond({ headers: { 'content-type': 'application/json' }, body: '{"id":1' }),
      { data: { code: 'upstream_invalid' } },
    ],
    [
      'answers nothing',
      ({ respond }) => respond({ status: 202 }),
      { data: { code: 'upstream_invalid' } },
    ],
    [
      'refuses without an id',
      ({ respond }) => {
        const error = { code: -32600, message: 'No.' };
        respond({ status: 400, body: { jsonrpc: '2.0', id: null, error } });
      },
      { code: -32600, message: 'No.' },
    ],
    [
      'breaks off in its stream',
      async ({ startSse, sendEvent, drop }) => {
        startSse();
        await sendEvent({ data: notification('notifications/message') });
        await setTimeout(20);
        drop();
      },
      { data: { code: 'upstream_unreachable' } },
    ],
  ];
  it.each(faulty)('that %s leaves the others as they are', async (_, fault, error) => {
    one.on('tools/call', (exchange) => void fault(exchange));
    const answers = await answersTo(batch([call(1, 'one__echo'), call(2, 'two__echo')]));
    expect(answers.get(1).error).toMatchObject(error);
    expect(textIn(answers.get(2))).toBe('two');
  });

  it('that breaks off after its answer has answered once', async () => {
    one.on('tools/call', async ({ startSse, sendEvent, drop }) => {
      startSse();
      const result = { content: [{ type: 'text', text: 'data:\ndata: ok' }] };
      await sendEvent({ data: { jsonrpc: '2.0', id: 1, result } });
      await setTimeout(20);
      drop();
    });
    const answers = await answersTo(batch([call(1, 'one__echo'), call(2, 'two__echo')]));
    expect(textIn(answers.get(1))).toBe('data:\ndata: ok');
  });

  it('that sends a long event in pieces does not mix it with others', async () => {
    const text = 'x'.repeat(2 * 1024 * 1024);
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ text }] } })}\n\n`;
    one.on('tools/call', async (exchange) => {
      exchange.startSse();
      await exchange.send(event.slice(0, 1_500_000));
      await setTimeout(200);
      lastOf(two).respondResult({ content: [{ type: 'text', text: 'between' }] });
      await setTimeout(200);
      await exchange.send(event.slice(1_500_000));
      exchange.end();
    });
    two.on('tools/call', () => {});
    const answers = await answersTo(batch([call(2, 'two__echo'), call(1, 'one__echo')]));
    expect(textIn(answers.get(1))).toBe(text);
    expect(textIn(answers.get(2))).toBe('between');
  });

  it('that answers in lines of JSON is passed on in one line', async () => {
    one.on('tools/call', ({ respond }) =>
      respond({
        headers: { 'content-type': 'application/json' },
        body: '{\r\n "jsonrpc": "2.0",\n "id": 1, "result": {"content": [{"text": "a\\nb"}]}}',
      }),
    );
    const answers = await answersTo(batch([call(1, 'one__echo'), request(2, 'ping')]));
    expect(textIn(answers.get(1))).toBe('a\nb');
  });

  it('that answers more than there is memory for is cut off, and the memory is free again', async () => {
    one.on('tools/call', async ({ startSse, send }) => {
      startSse();
      await send(`data: ${'x'.repeat(1024 * 1024)}`);
    });
    const calls = [call(1, 'one__echo'), call(2, 'two__echo')];
    for (let round = 0; round < 3; round += 1) {
      const answers = await answersTo(post({ headers, body: calls }, narrow.origin));
      expect(answers.get(1).error.data.code).toBe('upstream_response_too_large');
      expect(textIn(answers.get(2))).toBe('two');
      expect(await lastOf(one).closed).toBe('aborted');
    }
  });

  it('that answers after others finds their memory free', async () => {
    one.on('tools/call', () => {});
    const before = one.received('tools/call').length;
    const calls = Array.from({ length: 12 }, (_, id) => call(id, 'one__echo'));
    const { received } = await post(
      { headers, body: [...calls, request('p', 'ping')] },
      narrow.origin,
    );
    await expect.poll(() => one.received('tools/call').length).toBe(before + calls.length);
    for (const exchange of one.received('tools/call').slice(before)) {
      exchange.respondResult({ content: [{ text: 'x'.repeat(90_000) }] });
      await received(`"id":${exchange.message?.id},"result"`);
    }
  });
});

describe('a faulty batch', () => {
  const ping = request(9, 'ping');
  it.each<[string, unknown]>([
    ['an empty one', []],
    ['one of 51 messages', Array.from({ length: 51 }, (_, id) => request(id, 'ping'))],
    ['one with an initialize', [ping, initializeBody('2025-03-26')]],
    ['one with two requests of one id', [call(1, 'one__echo'), call(1, 'two__echo')]],
    ['one that ends too early', `[${JSON.stringify(ping)}`],
    ['one with something behind it', `[${JSON.stringify(ping)}]x`],
  ])('is refused as a whole: %s', async (_, body) => {
    const before = one.requests.length + two.requests.length;
    const { status, text } = await batch(body);
    const { id, error } = JSON.parse(await text());
    expect({ status, id, code: error.code }).toEqual({ status: 400, id: null, code: -32600 });
    expect(one.requests.length + two.requests.length).toBe(before);
  });

  it('has answers to its other messages where only some are faulty', async () => {
    const { text } = await batch(
      `[7,[{"jsonrpc":"2.0","id":2,"method":"ping"}],{"jsonrpc":"2.0","id":3,"ID":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":"ping"}]`,
    );
    const messages = messagesOf(await text());
    expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [5, undefined],
    ]);
  });

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])(
    'is any batch in a session of %s',
    async (version) => {
      headers = await initialize(version);
      const { status, text } = await batch([ping]);
      expect({ status, code: JSON.parse(await text()).error.code }).toEqual({
        status: 400,
        code: -32600,
      });
    },
  );

  it('is any batch without a session, and in one that has ended', async () => {
    expect((await post({ body: [ping] })).status).toBe(400);
    const modernHeaders = { ...headers, 'mcp-protocol-version': '2026-07-28' };
    expect((await post({ headers: modernHeaders, body: [ping] })).status).toBe(400);
    await post({ method: 'DELETE', headers });
    expect((await batch([ping])).status).toBe(404);
  });
});

it('a batch under the slowest rules lets others have their turn', async () => {
  const deny = Array.from(
    { length: 500 },
    (_, index) => `*${'a'.repeat(60)}b*${'a'.repeat(60)}${String(index).padStart(3, '0')}*`,
  );
  await fixture.api('PUT', `/integrations/${ids.one}/policy`, { tools: { deny } });
  const name = `one__${'a'.repeat(2_000)}`;
  const calls = Array.from({ length: 50 }, (_, id) => call(id, name));
  const hold = await longestHold(() => answersTo(batch(calls)), HOLD);
  expect(hold).toBeLessThanOrEqual(HOLD);
});

it('a batch of 50 messages and 4 MiB lets others have their turn', async () => {
  const filler = 'x'.repeat(84_000);
  const body = JSON.stringify(
    Array.from({ length: 50 }, (_, id) =>
      call(id, id % 2 === 0 ? 'one__echo' : 'two__echo', { filler }),
    ),
  );
  expect(body.length).toBeGreaterThan(4 * 1024 * 1024);
  const send = async () => {
    const answers = await answersTo(batch(body));
    expect(answers.size).toBe(50);
  };
  await send();
  const hold = await longestHold(send, HOLD);
  expect(hold).toBeLessThanOrEqual(HOLD);
});
