import type { Exchange } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, clientOf, useFixture } from '../fixture.ts';

const META = 'io.modelcontextprotocol';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const url = () => `${fixture.server.origin}/mcp/${fixture.applicationId}`;

let oldId: string;

beforeAll(async () => {
  oldId = await fixture.integrate({ name: 'Old' }, { legacy: '2025-11-25', modern: null });
  await fixture.integrate({ name: 'New' }, { legacy: null, modern: '2026-07-28' });
});

/** The upstream answers calls like this, and keeps what else it gets. */
function upstream(onCall: (exchange: Exchange) => void | Promise<void>): readonly string[] {
  const others: string[] = [];
  fixture.upstream.otherwise((exchange) => {
    const { message, request } = exchange;
    if (message?.method === 'tools/call') return onCall(exchange);
    if (message?.method === 'initialize') {
      return exchange.respondResult(
        {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        },
        { 'Mcp-Session-Id': 'of-the-upstream' },
      );
    }
    if (message?.method !== 'notifications/initialized') others.push(request.body.toString());
    exchange.respond({ status: 202 });
  });
  return others;
}

const callOf = (name: string, meta: object, more = '') =>
  `{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"_meta":${JSON.stringify(meta)},"name":"${name}","arguments":{"n":1.50e+3}${more}}}`;

function callModern(capabilities: object, meta: object = {}, signal?: AbortSignal) {
  const all = {
    ...meta,
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientCapabilities`]: capabilities,
  };
  return send(url(), {
    body: callOf('old__tool', all),
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'old__tool',
      'mcp-param-region': 'x',
    },
    ...(signal && { signal }),
  });
}

const parsed = async (answer: Promise<Answer>) => {
  const { status, text } = await answer;
  return { status, ...JSON.parse(await text()) };
};

describe('a modern client of a legacy upstream that', () => {
  const ask = async (exchange: Exchange, method = 'elicitation/create') => {
    exchange.startSse();
    const params = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
    const asked = { jsonrpc: '2.0', id: 'of-upstream', method, params };
    await exchange.sendEvent({ data: JSON.stringify(asked) });
  };

  it('gets the call with ids of ours, and everything else as it was', async () => {
    let got = '';
    let headers: NodeJS.Dict<string | string[]> = {};
    upstream((exchange) => {
      got = exchange.request.body.toString();
      headers = exchange.request.headers;
      exchange.respond({
        headers: { 'Content-Type': 'application/json' },
        body: `{"jsonrpc":"2.0","id":${JSON.stringify(exchange.message?.id)},"result":{"content":[],"n":2.50e+7}}`,
      });
    });
    const answer = await callModern({}, { progressToken: 7, 'x/y': 1 });
    const text = await answer.text();
    expect(text).toContain('"id":12345678901234567890');
    expect(text).toContain('"n":2.50e+7');
    expect(JSON.parse(text).result).toMatchObject({
      resultType: 'complete',
      _meta: { [`${META}/serverInfo`]: { name: 'gatehouse' } },
    });
    const { id, params } = JSON.parse(got);
    expect(id).toMatch(/^gatehouse-/);
    expect(params._meta).toEqual({ progressToken: id, 'x/y': 1 });
    expect(params.name).toBe('tool');
    expect(got).toContain('"arguments":{"n":1.50e+3}');
    expect(Object.keys(headers).filter((name) => name.startsWith('mcp-'))).toEqual([
      'mcp-protocol-version',
      'mcp-session-id',
    ]);
    expect(headers['mcp-protocol-version']).toBe('2025-11-25');
  });

  it('asks for what it has not declared gets an error, and so does the upstream', async () => {
    let id: unknown;
    const others = upstream(async (exchange) => {
      id = exchange.message?.id;
      await ask(exchange);
    });
    const { status, error } = await parsed(callModern({}));
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    });
    expect(error.message).toMatch(/effects/);
    await expect.poll(() => others.length).toBe(2);
    expect(others.map((text) => JSON.parse(text))).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 'of-upstream', error: expect.objectContaining({ code: -32601 }) },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
      ]),
    );
  });

  it('asks for what it has declared needs a legacy client', async () => {
    upstream((exchange) => ask(exchange, 'sampling/createMessage'));
    const { status, error } = await parsed(callModern({ sampling: {} }));
    expect(status).toBe(200);
    expect(error).toMatchObject({
      code: -31005,
      data: {
        code: 'needs_legacy_client',
        integrationId: oldId,
        url: expect.stringMatching(new RegExp(`/mcp/${fixture.applicationId}/${oldId}$`)),
      },
    });
    expect(error.message).toMatch(/effects/);
  });

  it('has reported progress hears on its stream that the call has ended', async () => {
    upstream(async (exchange) => {
      exchange.startSse();
      const params = { progressToken: exchange.message?.id, progress: 1.5 };
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params };
      await exchange.sendEvent({ data: JSON.stringify(progress) });
      const asked = { jsonrpc: '2.0', id: 1, method: 'roots/list' };
      await exchange.sendEvent({ data: JSON.stringify(asked) });
    });
    const answer = await callModern({}, { progressToken: 'mine' });
    const text = await answer.text();
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(text).toContain('"progressToken":"mine","progress":1.5');
    expect(text).toContain('-32021');
  });

  it('wants a URL opened is asked to open it, if it can', async () => {
    upstream(({ message, respond }) => {
      const elicitations = [
        { mode: 'url', elicitationId: 'e', url: 'https://a.test/', message: 'Go' },
      ];
      const error = { code: -32042, message: 'Open', data: { elicitations } };
      respond({ body: { jsonrpc: '2.0', id: message?.id, error } });
    });
    const { result } = await parsed(callModern({ elicitation: { url: {} } }));
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        url_0: {
          method: 'elicitation/create',
          params: { mode: 'url', url: 'https://a.test/', message: 'Go' },
        },
      },
    });
    const { status, error } = await parsed(callModern({ elicitation: {} }));
    expect([status, error.code]).toEqual([400, -32021]);
  });

  it('logs hears of it only if it has named a level', async () => {
    upstream(async (exchange) => {
      exchange.startSse();
      const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } };
      await exchange.sendEvent({ data: JSON.stringify(log) });
      const answer = { jsonrpc: '2.0', id: exchange.message?.id, result: { content: [] } };
      await exchange.sendEvent({ data: JSON.stringify(answer) });
      exchange.end();
    });
    const without = await callModern({});
    expect(await without.text()).not.toContain('notifications/message');
    const level = await callModern({}, { [`${META}/logLevel`]: 'info' });
    expect(await level.text()).toContain('notifications/message');
  });

  it('is at work goes away, and the upstream hears of it', async () => {
    const leaving = new AbortController();
    let id: unknown;
    const others = upstream((exchange) => {
      id = exchange.message?.id;
      leaving.abort();
    });
    await expect(callModern({}, {}, leaving.signal)).rejects.toThrow();
    await expect.poll(() => others.length).toBe(1);
    expect(JSON.parse(others[0] ?? '')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
  });

  it('is at work hears of it also when this node has forgotten the session that the call has begun', async () => {
    const { db, transaction } = fixture.server.store;
    await fixture.api('DELETE', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    await fixture.api('POST', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    const leaving = new AbortController();
    let id: unknown;
    const others = upstream(async (exchange) => {
      id = exchange.message?.id;
      const sessions = await db.session.findMany({ select: { id: true } });
      await transaction(async ({ announce }) =>
        announce(...sessions.map((session) => ({ kind: 'session' as const, id: session.id }))),
      );
      leaving.abort();
    });
    await expect(callModern({}, {}, leaving.signal)).rejects.toThrow();
    await expect.poll(() => others.length).toBe(1);
    expect(JSON.parse(others[0] ?? '').params).toEqual({ requestId: id });
  });

  it('leaves before the session has begun leaves nothing upstream', async () => {
    await fixture.api('DELETE', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    await fixture.api('POST', `/applications/${fixture.applicationId}/integrations/${oldId}`);
    const leaving = new AbortController();
    const got: unknown[] = [];
    let hasLeft = (): void => {};
    const left = new Promise<void>((resolve) => {
      hasLeft = resolve;
    });
    fixture.upstream.otherwise(async (exchange) => {
      got.push(exchange.message?.method);
      if (exchange.message?.method !== 'initialize') return exchange.respond({ status: 202 });
      leaving.abort();
      await left;
      exchange.respondResult(
        {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        },
        { 'Mcp-Session-Id': 'of-the-upstream' },
      );
    });
    await expect(callModern({}, {}, leaving.signal)).rejects.toThrow();
    hasLeft();
    await expect.poll(() => got).toEqual(['initialize', 'notifications/initialized']);
  });

  it('answers that there is no such method hears it as in its own era', async () => {
    upstream(({ message, respond }) => {
      const error = { code: -32601, message: 'Method not found' };
      respond({ body: { jsonrpc: '2.0', id: message?.id, error } });
    });
    const { status, error } = await parsed(callModern({}));
    expect([status, error.code]).toEqual([404, -32601]);
  });

  it('forgets its session after it has begun the call does not get it again', async () => {
    let calls = 0;
    upstream(async (exchange) => {
      calls += 1;
      exchange.startSse();
      await exchange.send('id: 1\nretry: 1\ndata: \n\n');
      exchange.end();
      fixture.upstream.once((resumed) => resumed.respond({ status: 404 }));
    });
    const { error } = await parsed(callModern({}));
    expect(error).toMatchObject({ code: -31005, data: { status: 404 } });
    expect(calls).toBe(1);
  });

  it('breaks off hears of a failure of that integration alone', async () => {
    upstream((exchange) => exchange.drop());
    const { status, error } = await parsed(callModern({}));
    expect(status).toBe(200);
    expect(error).toMatchObject({ code: -31005, data: { integrationId: oldId } });
  });
});

describe('a legacy client of a modern upstream that', () => {
  async function begin(capabilities: object) {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'c', version: '1' },
    };
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    const { headers } = await send(url(), { body });
    const session = {
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': String(headers['mcp-session-id']),
    };
    return {
      post: (sent: unknown) => send(url(), { body: sent, headers: session }),
      call: () =>
        send(url(), { body: callOf('new__tool', { progressToken: 7 }), headers: session }),
    };
  }

  const asking = (params: object, requestState = 's') => ({
    resultType: 'input_required',
    inputRequests: { key: { method: 'elicitation/create', params } },
    requestState,
  });
  const FORM = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };

  it('gets what the client has said once with the call', async () => {
    let got = '';
    let headers: NodeJS.Dict<string | string[]> = {};
    upstream((exchange) => {
      got = exchange.request.body.toString();
      headers = exchange.request.headers;
      exchange.respondResult({ resultType: 'complete', content: [], ttlMs: 5 });
    });
    const client = await begin({ roots: {} });
    const answer = await client.call();
    expect(await answer.text()).toBe(
      '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"content":[]}}',
    );
    expect(got).toContain('"arguments":{"n":1.50e+3}');
    expect(JSON.parse(got).params._meta).toEqual({
      progressToken: 7,
      [`${META}/protocolVersion`]: '2026-07-28',
      [`${META}/clientInfo`]: { name: 'c', version: '1' },
      [`${META}/clientCapabilities`]: { roots: {} },
    });
    expect(headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'tool',
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
  });

  it('has no such method does not lose its session', async () => {
    upstream(({ message, respond }) => {
      const error = { code: -32601, message: 'Method not found' };
      respond({ status: 404, body: { jsonrpc: '2.0', id: message?.id, error } });
    });
    const client = await begin({});
    const { status, error } = await parsed(client.call());
    expect([status, error.code]).toEqual([200, -32601]);
  });

  it('wants a URL opened gets it as it has declared', async () => {
    upstream((exchange) =>
      exchange.respondResult(asking({ mode: 'url', url: 'https://a.test/', message: 'Go' })),
    );
    const opening = await begin({ elicitation: { url: {} } });
    const { error } = await parsed(opening.call());
    expect(error).toMatchObject({
      code: -32042,
      data: { elicitations: [{ mode: 'url', url: 'https://a.test/', message: 'Go' }] },
    });
    const other = await begin({ elicitation: {} });
    const { result } = await parsed(other.call());
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Go\nhttps://a.test/' }],
      isError: true,
    });
  });

  it.each([{}, { sampling: {} }, { elicitation: { url: {} } }])(
    'asks for a form is not answered by a client that has declared %j',
    async (capabilities) => {
      let calls = 0;
      upstream((exchange) => {
        calls += 1;
        exchange.respondResult(asking(FORM));
      });
      const client = await begin(capabilities);
      const { status, error } = await parsed(client.call());
      expect(status).toBe(200);
      expect(error).toMatchObject({ code: -31005, data: { code: 'client_capability_missing' } });
      expect(calls).toBe(1);
    },
  );

  it('asks answers in its own session alone, byte for byte', async () => {
    const bodies: string[] = [];
    upstream((exchange) => {
      bodies.push(exchange.request.body.toString());
      if (bodies.length === 1) exchange.respondResult(asking(FORM, 'state"1'));
      else exchange.respondResult({ resultType: 'complete', content: [] });
    });
    const client = await begin({ elicitation: {} });
    const other = await begin({ elicitation: {} });
    const answer = await client.call();
    const event = await answer.received('elicitation/create');
    const [, id = ''] = /"id":("gatehouse-[^"]+")/.exec(event) ?? [];
    const response = (action: string) =>
      `{"jsonrpc":"2.0","id":${id},"result":{"action":"${action}","content":{"n":1.50e+3}}}`;
    expect((await other.post(response('decline'))).status).toBe(202);
    expect((await client.post(response('accept'))).status).toBe(202);
    expect(await answer.text()).toContain('"id":12345678901234567890,"result":{"content":[]}');
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toContain(
      '"inputResponses":{"key":{"action":"accept","content":{"n":1.50e+3}}},"requestState":"state\\"1"',
    );
    const [first, second] = bodies.map((text) => JSON.parse(text).id);
    expect(second).not.toBe(first);
  });

  it('asks without end is stopped after ten rounds', async () => {
    let calls = 0;
    upstream((exchange) => {
      calls += 1;
      exchange.respondResult(asking(FORM));
    });
    const client = await begin({ elicitation: {} });
    const answer = await client.call();
    for (let round = 1; round <= 10; round += 1) {
      await expect.poll(() => calls).toBe(round);
      let ids: string[] = [];
      await expect
        .poll(async () => {
          const events = await answer.received('elicitation');
          ids = [...events.matchAll(/"id":("gatehouse-[^"]+")/g)].map(([, id = '']) => id);
          return ids.length;
        })
        .toBe(round);
      await client.post(`{"jsonrpc":"2.0","id":${ids.at(-1)},"result":{"action":"decline"}}`);
    }
    expect(await answer.text()).toContain('"code":"too_many_questions"');
    expect(calls).toBe(11);
  });

  it('asks takes an error of the client as a cancellation', async () => {
    const bodies: string[] = [];
    upstream((exchange) => {
      bodies.push(exchange.request.body.toString());
      if (bodies.length === 1) exchange.respondResult(asking(FORM));
      else exchange.respondResult({ resultType: 'complete', content: [] });
    });
    const client = await begin({ elicitation: {} });
    const answer = await client.call();
    const event = await answer.received('elicitation/create');
    const [, id = ''] = /"id":("gatehouse-[^"]+")/.exec(event) ?? [];
    await client.post(`{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":"no"}}`);
    await answer.text();
    expect(JSON.parse(bodies[1] ?? '').params.inputResponses).toEqual({
      key: { action: 'cancel' },
    });
  });

  it('is at work cancels its call by closing the connection', async () => {
    let closed: Promise<string> | undefined;
    upstream((exchange) => {
      closed = exchange.closed;
    });
    const client = await begin({});
    const answer = client.call();
    await expect.poll(() => closed !== undefined).toBe(true);
    const params = '{"requestId":12345678901234567890}';
    await client.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
    expect(await closed).toBe('aborted');
    expect(await (await answer).text()).toBe('');
  });
});
