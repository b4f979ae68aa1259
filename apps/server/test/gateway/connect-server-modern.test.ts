import { beforeAll, describe, expect, it } from 'vitest';
import {
  jsonOf,
  META,
  modernRequest,
  startUnconnected,
  type Unconnected,
} from './connect-fixture.ts';
import { clientOf, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
let person: Unconnected;

beforeAll(async () => {
  person = await startUnconnected(fixture);
});

const _meta = {
  [`${META}/serverInfo`]: { name: 'gatehouse-connect', title: 'Gatehouse', version: '0.0.0-test' },
};
const CALL = { name: 'connect_account', arguments: {} };
const URLS = { elicitation: { url: {} } };

describe('a modern client of a person who has not connected', () => {
  it('discovers a server, which must not be cached', async () => {
    const answer = await person.send(modernRequest('server/discover'));
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(await jsonOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: 5,
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        instructions: expect.stringContaining('“Scripted”'),
        ttlMs: 0,
        cacheScope: 'private',
        _meta,
      },
    });
  });

  it('lists one tool, and nothing of any other kind', async () => {
    const listed = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta };
    const { result } = await person.ask(modernRequest('tools/list'));
    expect(result).toEqual({ ...listed, tools: [expect.objectContaining({ name: CALL.name })] });
    for (const [method, key] of [
      ['prompts/list', 'prompts'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const) {
      const other = await person.ask(modernRequest(method));
      expect(other.result).toEqual({ ...listed, [key]: [] });
    }
  });

  it('gets the link from the tool: as text, or as one request to open it', async () => {
    const asText = {
      resultType: 'complete',
      content: [{ type: 'text', text: expect.stringContaining(person.connectUrl) }],
      _meta,
    };
    const plain = await person.ask(modernRequest('tools/call', CALL));
    expect(plain.result).toEqual(asText);
    const asked = await person.ask(modernRequest('tools/call', CALL, URLS));
    expect(asked.result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        connect: {
          method: 'elicitation/create',
          params: { mode: 'url', url: person.connectUrl, message: expect.any(String) },
        },
      },
      requestState: 'gatehouse-connect',
      _meta,
    });
    const inputResponses = { connect: { action: 'accept' } };
    const again = await person.ask(modernRequest('tools/call', { ...CALL, inputResponses }, URLS));
    expect(again.result).toEqual(asText);
  });

  it('gets the link from every other call, and an error for methods that no longer exist', async () => {
    const other = await person.ask(modernRequest('tools/call', { name: 'search' }));
    expect(other.error).toMatchObject({ code: -31001, data: { connectUrl: person.connectUrl } });
    for (const method of ['ping', 'initialize', 'logging/setLevel']) {
      const answer = await person.send(modernRequest(method));
      expect(answer.status).toBe(404);
      expect((await jsonOf(answer)).error.code).toBe(-32601);
    }
    const notification = { jsonrpc: '2.0', method: 'notifications/x' };
    const { headers } = modernRequest('notifications/x');
    expect((await person.send({ headers, body: notification })).status).toBe(202);
  });

  it.each([
    ['a method that differs', { 'mcp-method': 'tools/call' }, -32020],
    ['no method', { 'mcp-method': [] }, -32020],
    ['no version', { 'mcp-protocol-version': [] }, -32020],
    ['another version', { 'mcp-protocol-version': '2027-01-01' }, -32020],
  ])('is refused for headers with %s', async (_name, headers, code) => {
    const listing = modernRequest('tools/list');
    const answer = await person.send({ ...listing, headers: { ...listing.headers, ...headers } });
    expect(answer.status).toBe(400);
    expect(await jsonOf(answer)).toMatchObject({ id: 5, error: { code } });
  });

  it('may encode a name, which must match the body', async () => {
    const calling = modernRequest('tools/call', CALL);
    const named = (name: string) => ({
      ...calling,
      headers: { ...calling.headers, 'mcp-name': name },
    });
    const encoded = `=?base64?${Buffer.from(CALL.name).toString('base64')}?=`;
    expect((await person.send(named(encoded))).status).toBe(200);
    expect((await person.send(named('another'))).status).toBe(400);
  });

  it('is refused without its metadata, in another version, or in a batch', async () => {
    const { headers, body } = modernRequest('tools/list');
    const bare = await person.send({ headers, body: { ...(body as object), params: {} } });
    expect([bare.status, (await jsonOf(bare)).error.code]).toEqual([400, -32602]);
    const batch = await person.send({ headers, body: [body] });
    expect([batch.status, (await jsonOf(batch)).id]).toEqual([400, null]);
    const text = JSON.stringify(body).replace('2026-07-28', '2027-01-01');
    const newer = { ...headers, 'mcp-protocol-version': '2027-01-01' };
    const unsupported = await person.send({ headers: newer, body: text });
    expect(unsupported.status).toBe(400);
    expect((await jsonOf(unsupported)).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2027-01-01' },
    });
  });
});

describe('a subscription', () => {
  const listening = (notifications: unknown) =>
    modernRequest('subscriptions/listen', { notifications });
  const subscription = `"_meta":{"${META}/subscriptionId":5}`;
  const acknowledged = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{${subscription},"notifications":{"toolsListChanged":true}}}\n\n`;
  const changed = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{${subscription}}}\n\n`;
  const closed = `event: message\ndata: {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete",${subscription}}}\n\n`;

  it('hears that the tools have changed once the person has connected, and ends', async () => {
    const leaving = await startUnconnected(fixture);
    const filter = { toolsListChanged: true, promptsListChanged: true };
    const stream = await leaving.send(listening(filter));
    await stream.received('acknowledged');
    await leaving.connect();
    expect(await stream.text()).toBe(acknowledged + changed + closed);
    const call = leaving.send(modernRequest('tools/list'));
    const { request, respondResult } = await fixture.upstream.nextRequest();
    expect(request.headers.authorization).toBe('Bearer secret');
    respondResult({});
    expect((await call).status).toBe(200);
  });

  it('to other changes ends at once, and one to nothing is refused', async () => {
    const stream = await person.send(listening({ promptsListChanged: true }));
    expect(await stream.text()).toBe(
      acknowledged.replace('{"toolsListChanged":true}', '{}') + closed,
    );
    expect((await person.ask(listening(undefined))).error.code).toBe(-32602);
  });

  it('is kept alive, and ends in order when the gateway closes, as a GET stream does', async () => {
    const gateway = await startGateway(fixture.server.store, { limits: { keepAlive: 300 } });
    const url = fixture.urlOf(person.integrationId, gateway.origin);
    const send = clientOf(person.token);
    const stream = await send(url, listening({ toolsListChanged: true }));
    await stream.received(': keep-alive\n\n');
    const get = await send(url, { method: 'GET', headers: await person.initialize() });
    await gateway.gateway.close();
    const text = (await stream.text()).replaceAll(': keep-alive\n\n', '');
    expect(text).toBe(acknowledged + closed);
    expect((await get.text()).replaceAll(': keep-alive\n\n', '')).toBe('retry: 5000\n\n');
    await gateway.close();
  });
});

it('counts its calls with a separate outcome', async () => {
  const gateway = await startGateway(fixture.server.store);
  const url = fixture.urlOf(person.integrationId, gateway.origin);
  await (await clientOf(person.token)(url, modernRequest('tools/list'))).text();
  expect(await gateway.metrics.registry.metrics()).toContain(
    'gatehouse_gateway_calls_total{outcome="connect",era="modern",status="2xx"} 1',
  );
  await gateway.close();
});
