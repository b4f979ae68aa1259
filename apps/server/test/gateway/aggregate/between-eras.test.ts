import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';
import { answerCalls, callOf, parsed } from './translated-calls.ts';

const fixture = useFixture();

const META = 'io.modelcontextprotocol';

const send = clientOf(() => fixture.server.owner);
const url = () => `${fixture.server.origin}/mcp/${fixture.applicationId}`;

beforeAll(async () => {
  await fixture.integrate({ name: 'Old' }, { legacy: '2025-11-25', modern: null });
  await fixture.integrate({ name: 'New' }, { legacy: null, modern: '2026-07-28' });
});

const upstream = (onCall: Parameters<typeof answerCalls>[1]) =>
  answerCalls(fixture.upstream, onCall);

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

describe('headers that repeat arguments', () => {
  const HEADER_MISMATCH = -32020;

  const server = use(() => startScriptedServer('a'));
  let client: AggregateClient;

  beforeEach(async () => {
    const applicationId = await newApplication(fixture);
    const eras = { legacy: null, modern: '2026-07-28' };
    const id = await fixture.integrate({ name: 'A', url: server.url }, eras);
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
    const tool = { name: 'find', inputSchema: { type: 'object', properties } };
    server.on('tools/list', ({ respondResult }) => respondResult({ tools: [tool] }));
    server.on('tools/call', ({ request, message, respond, respondResult }) => {
      if (request.headers['mcp-param-region'] === 'north') return respondResult({ content: [] });
      const error = { code: HEADER_MISMATCH, message: 'Mcp-Param-Region is missing.' };
      respond({ status: 400, body: { jsonrpc: '2.0', id: message?.id, error } });
    });
    const { origin, owner } = fixture.server;
    client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'legacy');
  });

  /** How often the server was called for one call of the client, which succeeds. */
  async function callsFor(): Promise<number> {
    const before = server.received('tools/call').length;
    expect((await client.call('a__find', { region: 'north' })).body.result).toEqual({
      content: [],
    });
    return server.received('tools/call').length - before;
  }

  it('a call of a legacy client has the headers that a modern server wants at once', async () => {
    await client.listTools();
    expect(await callsFor()).toBe(1);
  });

  it('a call of a tool that this node has not listed gets them once the server asks for them', async () => {
    expect(await callsFor()).toBe(2);
    expect(await callsFor()).toBe(1);
  });
});

describe('records of calls between eras', () => {
  const server = use(() => startScriptedServer('any'));

  const [LEGACY, MODERN] = ['2025-11-25', '2026-07-28'];
  const ERAS = ['legacy', 'modern'] as const;
  const CELLS = ERAS.flatMap((client) => ERAS.map((upstream) => ({ client, upstream })));

  /** By the era of the integration. */
  const ids = { legacy: '', modern: '' };
  let url: string;

  beforeAll(async () => {
    const applicationId = await newApplication(fixture);
    url = `${fixture.server.origin}/mcp/${applicationId}`;
    for (const era of ERAS) {
      const spoken = era === 'legacy' ? { legacy: LEGACY } : { modern: MODERN };
      ids[era] = await fixture.integrate({ name: era, url: `${server.url}/${era}` }, spoken);
      const where = { id: ids[era] };
      const spokenEras = { url: `${server.url}/${era}`, legacy: null, modern: null, ...spoken };
      await fixture.server.store.db.integration.update({ where, data: { spokenEras } });
      await fixture.api('POST', `/applications/${applicationId}/integrations/${ids[era]}`);
    }
  });

  interface CallEvent {
    readonly details: { readonly method: string; readonly name: string | null };
  }

  async function namesOfCalls(integrationId: string): Promise<readonly (string | null)[]> {
    const path = `/audit-events?kind=call&integrationId=${integrationId}&limit=100`;
    const { body } = await fixture.api('GET', path);
    return (body.items as CallEvent[])
      .filter(({ details }) => details.method === 'tools/call')
      .map(({ details }) => details.name);
  }

  it('lists that an integration answers on an event stream are recorded as relayed', async () => {
    server.on('tools/list', async (exchange) => {
      exchange.startSse();
      const result = { tools: [toolOf('echo')] };
      await exchange.sendEvent({ data: { jsonrpc: '2.0', id: exchange.message?.id, result } });
    });
    const { listTools } = await openClient(url, fixture.server.owner, 'legacy');
    expect((await listTools()).names).toContain('legacy__echo');
    server.on('tools/list', undefined);
    const outcomes = async () => {
      const path = `/audit-events?kind=call&integrationId=${ids.legacy}&limit=100`;
      const { body } = await fixture.api('GET', path);
      return body.items
        .filter(({ details }: CallEvent) => details.method === 'tools/list')
        .map(({ outcome }: { outcome: string }) => outcome);
    };
    await expect.poll(outcomes, { timeout: 10_000 }).toEqual(['relayed']);
  });

  describe.each(CELLS)('a $client client of a $upstream integration', ({ client, upstream }) => {
    it('is recorded with the name that the integration knows', async () => {
      const before = await namesOfCalls(ids[upstream]);
      const { call } = await openClient(url, fixture.server.owner, client);
      expect((await call(`${upstream}__echo`)).body.result).toBeDefined();
      await expect
        .poll(() => namesOfCalls(ids[upstream]), { timeout: 10_000 })
        .toHaveLength(before.length + 1);
      expect(new Set(await namesOfCalls(ids[upstream]))).toEqual(new Set(['echo']));
    });

    it('gets the refusal of a limit under its own id', async () => {
      const policy = `/integrations/${ids[upstream]}/policy`;
      await fixture.api('PUT', policy, { limits: { perMinute: 1 } });
      const { ask } = await openClient(url, fixture.server.owner, client);
      const params = { name: `${upstream}__echo`, arguments: {} };
      await ask('tools/call', params);
      const { body } = await ask('tools/call', params);
      expect(body).toMatchObject({ id: 5, error: { code: -31004 } });
      await fixture.api('PUT', policy, {});
    });

    it.each(['"é"', '"\\u00e9"'])('gets the answer to the id %s', async (id) => {
      const { send, headers } = await openClient(url, fixture.server.owner, client);
      const name = `${upstream}__echo`;
      const meta = {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { name, arguments: {}, ...(client === 'modern' && { _meta: meta }) };
      const mirrored = {
        'mcp-protocol-version': MODERN,
        'mcp-method': 'tools/call',
        'mcp-name': name,
      };
      const answer = await send({
        headers: client === 'modern' ? mirrored : headers,
        body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify(params)}}`,
      });
      const read = JSON.parse(Buffer.from(await answer.text(), 'latin1').toString());
      expect(read).toMatchObject({ id: 'é', result: { content: [{ text: 'any' }] } });
    });
  });
});
