import type { Exchange } from '@gatehouse/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testDatabaseKind } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { type Answer, clientOf, startGateway, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();

describe('subscriptions to resources', () => {
  const LISTEN = 'subscriptions/listen';
  const MODERN_ONLY = { legacy: null, modern: '2026-07-28' };
  const URI = 'test://a';

  const send = clientOf(() => fixture.server.owner);
  let server: ScriptedServer;
  let path: string;
  let integrationId: string;

  interface Listening {
    readonly exchange: Exchange;
    readonly uris: readonly string[];
  }

  /** The streams that are open at the server, and what it agreed to tell. */
  let listening: Listening[] = [];

  const notification = (method: string, params: object) =>
    `data: ${JSON.stringify({ jsonrpc: '2.0', method: `notifications/${method}`, params })}\n\n`;

  async function acknowledge(
    exchange: Exchange,
    isAgreed: (uri: string) => boolean,
  ): Promise<void> {
    const { params } = JSON.parse(exchange.request.body.toString());
    const { notifications }: { notifications: { resourceSubscriptions?: string[] } } = params;
    const uris = notifications.resourceSubscriptions?.filter(isAgreed) ?? [];
    const agreed = { ...notifications, resourceSubscriptions: uris };
    exchange.startSse();
    const entry = { exchange, uris };
    listening.push(entry);
    exchange.closed.then(() => {
      listening = listening.filter((each) => each !== entry);
    });
    await exchange.send(notification('subscriptions/acknowledged', { notifications: agreed }));
  }

  beforeEach(async () => {
    server = await startScriptedServer('new');
    server.speakOnly('modern');
    server.on('resources/list', ({ respondResult }) =>
      respondResult({
        resources: ['test://a', 'test://b', 'test://none'].map((uri) => ({ uri, name: uri })),
      }),
    );
    server.on('resources/templates/list', ({ respondResult }) =>
      respondResult({ resourceTemplates: [{ uriTemplate: 'test://of/{id}', name: 'of' }] }),
    );
    server.on(LISTEN, (exchange) => acknowledge(exchange, (uri) => uri !== 'test://none'));
    const applicationId = await newApplication(fixture);
    integrationId = await fixture.integrate({ name: 'New', url: server.url }, MODERN_ONLY);
    await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
    path = `/mcp/${applicationId}`;
  });

  afterEach(async () => {
    listening = [];
    await server.close();
  });

  const open = (): Promise<AggregateClient> =>
    openClient(`${fixture.server.origin}${path}`, fixture.server.owner, 'legacy');

  async function streamOf({ headers }: AggregateClient, origin: string): Promise<Answer> {
    const stream = await send(`${origin}${path}`, {
      method: 'GET',
      headers: { ...headers, accept: 'text/event-stream' },
    });
    onTestFinished(() => stream.abort());
    return stream;
  }

  /** What the streams at the server hear of, without those that only ask. */
  const heard = () => listening.map(({ uris }) => uris.join());

  async function update(uri: string): Promise<void> {
    const params = { uri, _meta: { 'io.modelcontextprotocol/subscriptionId': 1, own: 1 } };
    for (const { exchange, uris } of listening) {
      if (uris.includes(uri)) await exchange.send(notification('resources/updated', params));
    }
  }

  const UPDATED = `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"${URI}","_meta":{"own":1}}}`;

  /** The node that has the stream, and the node that has the requests. */
  const NODES =
    testDatabaseKind === 'postgresql' ? (['same', 'other'] as const) : (['same'] as const);

  describe.each(NODES)('a legacy client that subscribes at the %s node as its stream', (node) => {
    const other =
      node === 'same'
        ? undefined
        : use(async () =>
            startGateway(await fixture.server.store.openAnotherNode(), {
              publicUrl: fixture.server.origin,
            }),
          );
    const originOfStream = () => other?.origin ?? fixture.server.origin;

    it('hears of a resource of a modern integration until it unsubscribes', async () => {
      const client = await open();
      const stream = await streamOf(client, originOfStream());
      const second = await streamOf(client, originOfStream());
      expect((await client.ask('resources/subscribe', { uri: URI })).body.result).toEqual({});
      await expect.poll(heard).toEqual([URI, URI]);
      await update(URI);
      for (const each of [stream, second]) {
        const received = await each.received('resources/updated');
        expect(received).toContain(UPDATED);
        expect(received).not.toContain('subscriptionId');
      }
      // The resource need not be listed any more.
      server.on('resources/list', ({ respondResult }) => respondResult({ resources: [] }));
      expect((await client.ask('resources/unsubscribe', { uri: URI })).body.result).toEqual({});
      await expect.poll(() => heard().filter((uris) => uris !== '')).toEqual([]);
      expect((await client.ask('tools/list')).status).toBe(200);
    });

    it('hears of it on a stream that is opened later', async () => {
      const client = await open();
      for (const uri of [URI, 'test://b', URI]) {
        expect((await client.ask('resources/subscribe', { uri })).body.result).toEqual({});
      }
      const stream = await streamOf(client, originOfStream());
      await expect.poll(heard).toEqual([`${URI},test://b`]);
      await update(URI);
      expect(await stream.received('resources/updated')).toContain(UPDATED);
    });
  });

  it('hears of nothing after it has unsubscribed at an integration that announces no lists', async () => {
    await fixture.server.store.db.integration.update({
      where: { id: integrationId },
      data: { spokenEras: { url: server.url, ...MODERN_ONLY, listChanged: [] } },
    });
    await fixture.api('PATCH', `/integrations/${integrationId}`, { name: 'Without lists' });
    const client = await open();
    await streamOf(client, fixture.server.origin);
    await client.ask('resources/subscribe', { uri: URI });
    await expect.poll(heard).toEqual([URI]);
    await client.ask('resources/unsubscribe', { uri: URI });
    await expect.poll(heard).toEqual([]);
  });

  it('hears of it after a restart', async () => {
    const client = await open();
    await client.ask('resources/subscribe', { uri: URI });
    const next = await startGateway(fixture.server.store, { publicUrl: fixture.server.origin });
    onTestFinished(() => next.close());
    const stream = await streamOf(client, next.origin);
    await expect.poll(heard).toEqual([URI]);
    await update(URI);
    expect(await stream.received('resources/updated')).toContain(UPDATED);
  });

  describe('a subscription of a legacy client at a modern integration', () => {
    it('is refused where the integration does not agree to it', async () => {
      const client = await open();
      const { body } = await client.ask('resources/subscribe', { uri: 'test://none' });
      expect(body.error.code).toBe(-32601);
      server.on(LISTEN, ({ respond, message }) => {
        const error = { code: -32603, message: 'Broken' };
        respond({ body: { jsonrpc: '2.0', id: message?.id, error } });
      });
      const refused = await client.ask('resources/subscribe', { uri: URI });
      expect(refused.body).toEqual({
        jsonrpc: '2.0',
        id: 5,
        error: { code: -32603, message: 'Broken' },
      });
    });

    it('is refused under rules that deny the resource, which the integration does not hear of', async () => {
      const rules = { resources: { allow: ['test://*'], deny: ['test://of/secret'] } };
      await fixture.api('PUT', `/integrations/${integrationId}/policy`, rules);
      const client = await open();
      const { body } = await client.ask('resources/subscribe', { uri: 'test://of/secret' });
      expect(body.error.code).toBe(-31003);
      expect(server.received(LISTEN)).toHaveLength(0);
      const allowed = await client.ask('resources/subscribe', { uri: 'test://of/1' });
      expect(allowed.body.result).toEqual({});
    });

    it('ends, and passes nothing, once rules deny the resource', async () => {
      const client = await open();
      for (const uri of [URI, 'test://b']) await client.ask('resources/subscribe', { uri });
      const stream = await streamOf(client, fixture.server.origin);
      await expect.poll(heard).toEqual([`${URI},test://b`]);
      const rules = { resources: { allow: ['test://*'], deny: [URI] } };
      await fixture.api('PUT', `/integrations/${integrationId}/policy`, rules);
      await expect.poll(heard, { timeout: 15_000 }).toEqual(['test://b']);
      const params = { uri: URI };
      for (const { exchange } of listening)
        await exchange.send(notification('resources/updated', params));
      await update('test://b');
      expect(await stream.received('resources/updated')).not.toContain(`"${URI}"`);
    });

    it('finds room for 16 KiB of them in a session', async () => {
      const client = await open();
      const uris = Array.from({ length: 18 }, (_, index) => `test://of/${'x'.repeat(960)}${index}`);
      const answers = [];
      for (const uri of uris) answers.push((await client.ask('resources/subscribe', { uri })).body);
      const codes = answers.map(({ error }) => error?.code);
      expect(codes.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => undefined));
      expect(codes.slice(16)).toEqual([-32602, -32602]);
      await client.ask('resources/unsubscribe', { uri: uris[0] });
      expect((await client.ask('resources/subscribe', { uri: uris[17] })).body.result).toEqual({});
    });
  });
});

describe('unused sessions', () => {
  const upstream = use(() => startScriptedServer('any'));
  const limits = { unusedEvery: 50 };
  const nodes = [
    use(() => startGateway(fixture.server.store, { limits })),
    use(async () =>
      startGateway(
        testDatabaseKind === 'postgresql'
          ? await fixture.server.store.openAnotherNode()
          : fixture.server.store,
        { limits },
      ),
    ),
  ];

  let applicationId: string;
  let client: AggregateClient;
  /** Exchanges of earlier tests. */
  let before: number;

  async function start(eras: object = {}, era: 'legacy' | 'modern' = 'legacy') {
    applicationId = await newApplication(fixture);
    const fields = {
      name: 'Any',
      url: upstream.url,
      authMode: 'server_token',
      serverToken: 'secret',
    };
    const id = await fixture.integrate(fields, { legacy: '2025-11-25', ...eras });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    const { origin } = nodes[0] as (typeof nodes)[number];
    client = await openClient(`${origin}/mcp/${applicationId}`, fixture.server.owner, era);
  }

  beforeEach(async () => {
    upstream.on('GET', undefined);
    before = upstream.received('DELETE').length;
    await start();
  });

  const passAMinute = () =>
    fixture.server.store.db.$executeRaw`
      UPDATE "Session" SET "lastActivityAt" = now() - interval '61 seconds'
      WHERE "applicationId" = ${applicationId}::uuid`;
  /** Both nodes have looked several times. */
  const looks = () => new Promise((resolve) => setTimeout(resolve, 500));
  const deleted = () => upstream.received('DELETE').slice(before);
  const headersOf = ({ request }: Exchange) => request.headers;

  async function shown() {
    const { body } = await fixture.api('GET', `/applications/${applicationId}`);
    const { idleSessionCount, activeSessionCount, liveSessionCount, totalSessionCount } =
      body.application;
    return [idleSessionCount + activeSessionCount, liveSessionCount, totalSessionCount];
  }

  describe('a session with an integration that only lists were read in', () => {
    it('ends here and at its upstream after a minute, once, and begins again for a call', async () => {
      expect((await client.listTools()).names).toEqual(['any__echo']);
      const [listed] = upstream.received('tools/list').slice(-1).map(headersOf);
      expect(await shown()).toEqual([1, 0, 1]);
      await looks();
      expect(deleted()).toEqual([]);
      await passAMinute();
      await expect.poll(() => deleted().length).toBe(1);
      await looks();
      expect(deleted().map(headersOf)).toMatchObject([
        {
          'mcp-session-id': listed?.['mcp-session-id'],
          'mcp-protocol-version': '2025-11-25',
          authorization: 'Bearer secret',
        },
      ]);
      expect(await shown()).toEqual([0, 0, 1]);
      expect((await client.call('any__echo')).body.result).toBeDefined();
      expect(await shown()).toEqual([1, 0, 2]);
      const [called] = upstream.received('tools/call').slice(-1).map(headersOf);
      expect(called?.['mcp-session-id']).not.toBe(listed?.['mcp-session-id']);
    });

    it('stays once its client has called something', async () => {
      await client.listTools();
      expect((await client.call('any__echo')).body.result).toBeDefined();
      await passAMinute();
      await looks();
      expect(deleted()).toEqual([]);
      expect(await shown()).toEqual([1, 0, 1]);
    });

    it('stays no longer because its client tells something to all integrations', async () => {
      await client.listTools();
      const body = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };
      const { headers } = client;
      const told = upstream.received('notifications/roots/list_changed').length;
      await client.send({ headers, body });
      await client.ask('logging/setLevel', { level: 'error' });
      await expect
        .poll(() => upstream.received('notifications/roots/list_changed').length)
        .toBe(told + 1);
      await passAMinute();
      await expect.poll(() => deleted().length).toBe(1);
    });

    it('stays while its client has a stream of it open', async () => {
      upstream.on('GET', ({ startSse }) => startSse());
      await client.listTools();
      const streams = upstream.received('GET').length;
      const headers = { ...client.headers, accept: 'text/event-stream' };
      const { abort } = await client.send({ method: 'GET', headers });
      await expect.poll(() => upstream.received('GET').length).toBe(streams + 1);
      await expect.poll(async () => (await shown())[1]).toBe(1);
      const { db } = fixture.server.store;
      await expect.poll(() => db.sessionPresence.count({ where: { applicationId } })).toBe(1);
      await passAMinute();
      await looks();
      expect(deleted()).toEqual([]);
      abort();
      await expect.poll(() => db.sessionPresence.count({ where: { applicationId } })).toBe(0);
      await passAMinute();
      await expect.poll(() => deleted().length).toBe(1);
    });

    it('ends likewise where modern clients of a token share it', async () => {
      await start({ modern: null }, 'modern');
      await client.listTools();
      await passAMinute();
      await expect.poll(() => deleted().length).toBe(1);
      await client.listTools();
      expect((await client.call('any__echo')).body.result).toBeDefined();
      await passAMinute();
      await looks();
      expect(deleted()).toHaveLength(1);
    });
  });
});
