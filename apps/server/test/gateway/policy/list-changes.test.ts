import { startUpstream } from '@gatehouse/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { BOTH, type SendOptions, STATELESS } from '../fixture.ts';
import { useRules } from './fixture.ts';

const META = 'io.modelcontextprotocol';
const [TOOLS, PROMPTS] = [{ tools: { allow: ['open'] } }, { prompts: { deny: ['x'] } }];
const changed = (list: string) =>
  `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}\n\n`;

const { fixture, ids, setRules, post, send } = useRules();

/** What the upstream is known to have declared. */
async function declare(listChanged: readonly string[]): Promise<void> {
  const { id, url } = await fixture.server.store.db.integration.findUniqueOrThrow({
    where: { id: ids.integrationId },
  });
  const spokenEras = { url, ...BOTH, listChanged: [...listChanged] };
  await fixture.server.store.db.integration.update({ where: { id }, data: { spokenEras } });
}

/** What is known to have been declared. */
async function declared(id: string): Promise<unknown> {
  const { spokenEras } = await fixture.server.store.db.integration.findUniqueOrThrow({
    where: { id },
  });
  return (spokenEras as { listChanged?: unknown } | null)?.listChanged ?? [];
}

beforeEach(async () => {
  await declare(['tools', 'prompts']);
  await setRules(TOOLS);
});

/** An open GET stream, and its upstream's side. */
async function openStream() {
  const arriving = fixture.upstream.nextRequest();
  const answering = send({ method: 'GET', headers: STATELESS });
  const upstream = await arriving;
  upstream.startSse();
  return { client: await answering, upstream };
}

describe('a GET stream', () => {
  it('hears of the lists that rules change, and of no others', async () => {
    const { client, upstream } = await openStream();
    await setRules({ ...TOOLS, ...PROMPTS });
    await setRules({ roles: ['owner'], ...PROMPTS });
    await client.received(changed('tools'));
    upstream.end();
    expect(await client.text()).toBe(changed('prompts') + changed('tools'));
  });

  it('hears nothing that its upstream has not declared', async () => {
    await declare(['prompts']);
    await setRules(PROMPTS);
    const { client, upstream } = await openStream();
    await setRules({ ...TOOLS, prompts: { deny: ['y'] } });
    await client.received(changed('prompts'));
    upstream.end();
    expect(await client.text()).toBe(changed('prompts'));
  });

  it('hears it before it ends, if it was not filtered until then', async () => {
    await setRules(null);
    const { client } = await openStream();
    await setRules(TOOLS);
    expect((await client.text()).split('retry: ')[0]).toBe(changed('tools'));
  });
});

const listen = (id: unknown, notifications: object, headers: SendOptions['headers'] = {}) =>
  send({
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
      ...headers,
    },
    body: {
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { _meta: { [`${META}/protocolVersion`]: '2026-07-28' }, notifications },
    },
  });

describe('a subscriptions/listen', () => {
  it('hears of the lists that it named, after its acknowledgement and between two events', async () => {
    const arriving = fixture.upstream.nextRequest();
    const answering = listen('a"1', { toolsListChanged: true, promptsListChanged: false });
    const upstream = await arriving;
    expect(upstream.request.headers['accept-encoding']).toBe('identity');
    upstream.startSse();
    const client = await answering;
    await setRules({ ...PROMPTS, tools: { allow: ['close'] } });
    await upstream.send('data: "acknow');
    await upstream.send('ledged"\n\n');
    const meta = `{"_meta":{"${META}/subscriptionId":"a\\"1"}}`;
    const told = changed('tools').replace('"}', `","params":${meta}}`);
    expect(await client.received('list_changed')).toBe(`data: "acknowledged"\n\n${told}`);
    client.abort();
  });
});

describe('a subscriptions/listen that was open before the first rule about names', () => {
  it('hears of changed lists and ends, as it was not judged', async () => {
    await setRules(null);
    const arriving = fixture.upstream.nextRequest();
    const answering = listen(1, { toolsListChanged: true });
    const upstream = await arriving;
    upstream.startSse();
    await upstream.sendEvent({ data: {} });
    const client = await answering;
    await client.received('data: {}');
    await setRules(TOOLS);
    const text = await client.text();
    expect(text).toContain('notifications/tools/list_changed');
    expect(text).toContain('"code":-31002');
  });

  it('ends too if its body came in pieces', async () => {
    await setRules(null);
    const arriving = fixture.upstream.nextRequest();
    const headers = { 'transfer-encoding': 'chunked', 'content-length': [] };
    const answering = listen(1, { toolsListChanged: true }, headers);
    (await arriving).startSse();
    const client = await answering;
    await setRules(TOOLS);
    await client.text();
    expect(client.stream.complete).toBe(true);
  });
});

describe('what an upstream declares', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c' } },
  };

  it.each([
    ['of tools', { tools: { listChanged: true }, prompts: {} }, ['tools']],
    ['of nothing', { tools: { listChanged: 'yes' } }, []],
  ])('is read from the response to initialize: %s', async (_, capabilities, expected) => {
    await declare(['prompts']);
    await setRules(PROMPTS);
    fixture.upstream.once((exchange) =>
      exchange.respondResult({ protocolVersion: '2025-11-25', capabilities, serverInfo: {} }),
    );
    expect((await post(initialize)).status).toBe(200);
    await expect.poll(() => declared(ids.integrationId), { timeout: 5_000 }).toEqual(expected);
  });
});

describe('an official client', () => {
  const real = use(() => startUpstream({ requireBearer: 'secret' }));

  it('lists the tools again when a rule takes one away', async () => {
    const integrationId = await fixture.integrate(
      { url: real.url, authMode: 'server_token', serverToken: 'secret' },
      {},
    );
    const policy = `/integrations/${integrationId}/policy`;
    await fixture.api('PUT', policy, { tools: { deny: ['nothing'] } });
    const client = new Client({ name: 'client', version: '1' });
    const told = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    const headers = { Authorization: `Bearer ${fixture.server.owner}` };
    const url = new URL(fixture.urlOf(integrationId));
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
    await client.connect(transport);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toContain('test_simple_text');
    // Its stream is opened in the background.
    await expect.poll(() => declared(integrationId), { timeout: 5_000 }).toContain('tools');
    const streams = () => real.requests.filter(({ method }) => method === 'GET').length;
    await expect.poll(streams, { timeout: 30_000 }).toBe(1);
    await fixture.api('PUT', policy, { tools: { deny: ['test_simple_text'] } });
    await told;
    expect(await names()).not.toContain('test_simple_text');
    await client.close();
  });
});
