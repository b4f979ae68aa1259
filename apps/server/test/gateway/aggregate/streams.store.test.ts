import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from '@gatehouse/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testDatabaseKind } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { modernRequest } from '../connect-fixture.ts';
import { type Answer, clientOf, startGateway, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { type ScriptedServer, startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const SSE = { 'Content-Type': 'text/event-stream' };
const MESSAGE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1.50}}';
const REQUEST = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"roots/list"}';

/** A server that opens the streams of its clients. */
interface Streaming {
  readonly server: ScriptedServer;
  /** The stream that was opened last. */
  stream(): Promise<Exchange>;
}

async function startStreaming(label: string, method: string): Promise<Streaming> {
  const server = await startScriptedServer(label);
  server.on(method, (exchange) => {
    exchange.startSse();
  });
  return {
    server,
    stream: () =>
      expect
        .poll(() => server.received(method).at(-1))
        .toBeDefined()
        .then(() => server.received(method).at(-1) as Exchange),
  };
}

/** An application with these servers. @returns its id */
async function applicationWith(servers: readonly ScriptedServer[], eras = {}): Promise<string> {
  const applicationId = await newApplication(fixture);
  for (const [index, { url }] of servers.entries()) {
    const id = await fixture.integrate(
      { name: `Server ${index}`, url },
      { legacy: '2025-11-25', ...eras },
    );
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  }
  return applicationId;
}

const openStream = (client: AggregateClient): Promise<Answer> =>
  client.send({ method: 'GET', headers: { ...client.headers, accept: 'text/event-stream' } });

/** The node that has the stream, and the node that has the calls. */
const NODES =
  testDatabaseKind === 'postgresql' ? (['same', 'other'] as const) : (['same'] as const);

describe.each(NODES)('the stream of a legacy client, with calls at the %s node', (node) => {
  const other =
    node === 'same'
      ? undefined
      : use(async () =>
          startGateway(await fixture.server.store.openAnotherNode(), {
            publicUrl: fixture.server.origin,
          }),
        );
  const originOfCalls = () => other?.origin ?? fixture.server.origin;

  it('has what each integration sends, with ids that lead back to it', async () => {
    const servers = [await startStreaming('a', 'GET'), await startStreaming('b', 'GET')];
    const applicationId = await applicationWith(servers.map(({ server }) => server));
    const path = `/mcp/${applicationId}`;
    const { owner } = fixture.server;
    const client = await openClient(`${fixture.server.origin}${path}`, owner, 'legacy');
    const stream = await openStream(client);
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);

    // Its sessions begin while it is open.
    const origin = originOfCalls();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const send = clientOf(owner);
    expect((await send(`${origin}${path}`, { headers: client.headers, body })).status).toBe(200);

    const [first, second] = await Promise.all(servers.map((each) => each.stream()));
    await first?.send(`id: 7\ndata: ${MESSAGE}\n\n: comment\n\n`);
    await second?.send(`data: ${REQUEST}\n\n`);
    const received = await stream.received('roots/list');
    expect(received).toContain(`.7\ndata: ${MESSAGE}\n\n`);
    expect(received).not.toContain('comment');
    expect(received).not.toContain('12345678901234567890');

    const [, id] = /"id":("gatehouse\.[^"]+")/.exec(received) ?? [];
    const response = `{"jsonrpc":"2.0","id":${id},"result":{"roots":[]}}`;
    const answered = await send(`${origin}${path}`, { headers: client.headers, body: response });
    expect(answered.status).toBe(202);
    const { server } = servers[1] as Streaming;
    await expect
      .poll(() => server.requests.map((request) => request.body.toString()))
      .toContain('{"jsonrpc":"2.0","id":12345678901234567890,"result":{"roots":[]}}');

    const [, eventId = ''] = /id: (\S+)/.exec(received) ?? [];
    stream.abort();
    const headers = { ...client.headers, accept: 'text/event-stream', 'last-event-id': eventId };
    const resumed = await client.send({ method: 'GET', headers });
    const last = () =>
      servers.map((each) => each.server.received('GET').at(-1)?.request.headers['last-event-id']);
    await expect.poll(last).toEqual(['7', undefined]);
    resumed.abort();
    for (const each of servers) await each.server.close();
  });

  it('ends with its session', async () => {
    const server = await startScriptedServer('a');
    const applicationId = await applicationWith([server]);
    const client = await openClient(
      `${fixture.server.origin}/mcp/${applicationId}`,
      fixture.server.owner,
      'legacy',
    );
    const stream = await openStream(client);
    const origin = originOfCalls();
    const ended = stream.text();
    await clientOf(fixture.server.owner)(`${origin}/mcp/${applicationId}`, {
      method: 'DELETE',
      headers: client.headers,
    });
    expect(await ended).toBe('');
    await server.close();
  });
});

describe('the stream of a legacy client', () => {
  it('says that lists have changed when an integration joins, and lives on', async () => {
    const [first, second] = [await startStreaming('a', 'GET'), await startScriptedServer('b')];
    const applicationId = await applicationWith([first.server]);
    const client = await openClient(
      `${fixture.server.origin}/mcp/${applicationId}`,
      fixture.server.owner,
      'legacy',
    );
    await client.listTools();
    const stream = await openStream(client);
    const upstream = await first.stream();
    const id = await fixture.integrate({ name: 'Later', url: second.url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    const received = await stream.received('resources/list_changed');
    expect(received).toContain('notifications/tools/list_changed');
    expect((await client.listTools()).names).toEqual(['server-0__echo', 'later__echo']);
    await upstream.send(`data: ${MESSAGE}\n\n`);
    await stream.received(MESSAGE);
    stream.abort();
    await first.server.close();
    await second.close();
  });

  it('says that lists have changed when an integration is archived, and when it is restored', async () => {
    const { server } = await startStreaming('a', 'GET');
    const applicationId = await applicationWith([]);
    const id = await fixture.integrate({ name: 'Server', url: server.url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    for (const change of [
      () => fixture.api('DELETE', `/integrations/${id}`),
      () => fixture.api('POST', `/integrations/${id}/restore`),
    ]) {
      const client = await openClient(url, fixture.server.owner, 'legacy');
      const stream = await openStream(client);
      await change();
      await stream.received('notifications/tools/list_changed');
      stream.abort();
    }
    await server.close();
  });
});

describe('the stream of an integration', () => {
  const quick = use(async () =>
    startGateway(fixture.server.store, {
      publicUrl: fixture.server.origin,
      limits: { reconnectAfter: 100 },
    }),
  );

  /** With a stream, and the session behind it. */
  async function openAt(server: ScriptedServer): Promise<AggregateClient> {
    const applicationId = await applicationWith([server]);
    const url = `${quick.origin}/mcp/${applicationId}`;
    const client = await openClient(url, fixture.server.owner, 'legacy');
    await client.call('server-0__echo');
    const stream = await openStream(client);
    onTestFinished(async () => {
      stream.abort();
      await server.close();
    });
    return client;
  }

  const openings = (server: ScriptedServer) =>
    server
      .received('GET')
      .map(({ request: { headers } }) => [headers['mcp-session-id'], headers['last-event-id']]);

  it('is opened again where it has ended, after its last event', async () => {
    const { server, stream: upstreamStream } = await startStreaming('a', 'GET');
    await openAt(server);
    const first = await upstreamStream();
    await first.send(`id: 日本\ndata: ${MESSAGE}\n\n`);
    first.end();
    const reopened = ['a-1', Buffer.from('日本').toString('latin1')];
    await expect.poll(() => openings(server)).toEqual([['a-1', undefined], reopened]);
    (await upstreamStream()).drop();
    await expect.poll(() => openings(server)).toEqual([['a-1', undefined], reopened, reopened]);
  });

  it('is opened from the beginning after an event with an empty id', async () => {
    const { server, stream: upstreamStream } = await startStreaming('a', 'GET');
    await openAt(server);
    const first = await upstreamStream();
    await first.send(`id: 1\ndata: ${MESSAGE}\n\nid:\ndata: ${MESSAGE}\n\n`);
    first.end();
    const opened = ['a-1', undefined];
    await expect.poll(() => openings(server)).toEqual([opened, opened]);
  });

  it('is asked for again while its server has another one of the session open', async () => {
    const server = await startScriptedServer('a');
    server.on('GET', ({ respond, startSse }) => {
      if (openings(server).length < 3) respond({ status: 409 });
      else startSse();
    });
    await openAt(server);
    await expect.poll(() => openings(server)).toHaveLength(3);
    await delay(500);
    expect(openings(server)).toHaveLength(3);
  });

  it.each([405, 501])('is not asked for again after the status %i', async (status) => {
    const server = await startScriptedServer('a');
    server.on('GET', ({ respond }) => respond({ status }));
    const client = await openAt(server);
    await expect.poll(() => openings(server)).toHaveLength(1);
    server.once(({ respond }) => respond({ status: 404 }));
    expect((await client.call('server-0__echo')).body.result).toBeDefined();
    expect(server.received('initialize')).toHaveLength(2);
    await delay(1_500);
    expect(openings(server)).toHaveLength(1);
  });

  it.each(['legacy', 'modern'] as const)(
    'is not asked for by other streams of %s clients after the status 405, until its URL changes',
    async (era) => {
      const server = await startScriptedServer('a');
      server.speakOnly('legacy');
      server.on('GET', ({ respond }) => respond({ status: 405 }));
      const applicationId = await applicationWith([server], { modern: null });
      const [attached] = await fixture.server.store.db.attachment.findMany({
        where: { applicationId },
      });
      const url = `${fixture.server.origin}/mcp/${applicationId}`;
      const open = async () => {
        const client = await openClient(url, fixture.server.owner, era);
        await client.call('server-0__echo');
        const listen = modernRequest('subscriptions/listen', {
          notifications: { toolsListChanged: true },
        });
        const stream = await (era === 'legacy' ? openStream(client) : client.send(listen));
        onTestFinished(() => stream.abort());
      };
      await open();
      await expect.poll(() => openings(server)).toHaveLength(1);
      await open();
      await delay(500);
      expect(openings(server)).toHaveLength(1);
      const path = `/integrations/${attached?.integrationId}`;
      await fixture.api('PATCH', path, { url: `${server.url}/moved` });
      await open();
      await expect.poll(() => openings(server).length).toBeGreaterThan(1);
      await server.close();
    },
  );

  it.each(['when it was open', 'at once'])(
    'that a server has forgotten %s is that of the next session',
    async (when) => {
      const { server, stream: upstreamStream } = await startStreaming('a', 'GET');
      const forgotten = ({ respond }: Exchange) => respond({ status: 404 });
      const open = ({ startSse }: Exchange) => startSse();
      if (when === 'at once') server.on('GET', forgotten);
      const client = await openAt(server);
      const first = await upstreamStream();
      server.on('GET', forgotten);
      await first.send(`id: 7\ndata: ${MESSAGE}\n\n`);
      first.drop();
      await expect.poll(() => server.received('GET').length).toBe(when === 'at once' ? 1 : 2);
      server.on('GET', open);
      const call = async () => (await client.call('server-0__echo')).body.result;
      // A call that comes before the gateway has read the 404 still uses the first session.
      await expect.poll(async () => (await call()) && server.received('initialize').length).toBe(2);
      await expect.poll(() => openings(server).at(-1)).toEqual(['a-2', undefined]);
    },
  );
});

describe('the streams of a node that shuts down', () => {
  it.each(['legacy', 'modern'] as const)(
    'end at once in the %s era, whatever is in flight',
    async (era) => {
      const server = await startScriptedServer('a');
      const applicationId = await applicationWith([server], { modern: '2026-07-28' });
      const { owner, store } = fixture.server;
      const node = await startGateway(store, { publicUrl: fixture.server.origin });
      const client = await openClient(`${node.origin}/mcp/${applicationId}`, owner, era);
      const params = { notifications: { toolsListChanged: true } };
      const stream = await (era === 'legacy'
        ? openStream(client)
        : client.send(modernRequest('subscriptions/listen', params)));
      const ended = stream.text();
      server.on('tools/call', () => {});
      const before = server.received('tools/call').length;
      const inFlight = client.call('server-0__echo');
      await expect.poll(() => server.received('tools/call').length).toBe(before + 1);
      let hasClosed = false;
      const closed = node.gateway.close().then(() => {
        hasClosed = true;
      });
      expect(await ended).toContain(era === 'legacy' ? 'retry: ' : '"result"');
      expect(hasClosed).toBe(false);
      server.received('tools/call').at(-1)?.respondResult({});
      expect((await inFlight).body.result).toEqual({});
      await closed;
      await node.close();
      await server.close();
    },
  );
});

describe('the lists of a client with a stream', () => {
  const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

  it('are read again when an integration announces that they have changed', async () => {
    const { server, stream: upstreamStream } = await startStreaming('a', 'GET');
    const applicationId = await applicationWith([server]);
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const client = await openClient(url, fixture.server.owner, 'legacy');
    expect((await client.listTools()).names).toEqual(['server-0__echo']);
    const stream = await openStream(client);
    const upstream = await upstreamStream();
    server.on('tools/list', ({ respondResult }) => respondResult({ tools: [toolOf('new')] }));
    expect((await client.listTools()).names).toEqual(['server-0__echo']);
    await upstream.send(`data: ${CHANGED}\n\n`);
    await stream.received(CHANGED);
    expect((await client.listTools()).names).toEqual(['server-0__new']);
    stream.abort();
    await server.close();
  });

  it('are announced when one that was late has come', async () => {
    const server = await startScriptedServer('a');
    const applicationId = await applicationWith([server]);
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const client = await openClient(url, fixture.server.owner, 'legacy');
    const stream = await openStream(client);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.on('tools/list', async ({ respondResult }) => {
      await held;
      respondResult({ tools: [toolOf('echo')] });
    });
    expect((await client.listTools()).states).toEqual({ 'server-0': 'late 0' });
    release();
    await stream.received('notifications/tools/list_changed');
    expect((await client.listTools()).names).toEqual(['server-0__echo']);
    stream.abort();
    await server.close();
  });
});

describe('a subscription of a modern client', () => {
  it('has one acknowledgement, and what each integration announces', async () => {
    const method = 'subscriptions/listen';
    const servers = [await startStreaming('a', method), await startStreaming('b', method)];
    const applicationId = await applicationWith(
      servers.map(({ server }) => server),
      { modern: '2026-07-28' },
    );
    const send = clientOf(fixture.server.owner);
    const stream = await send(
      `${fixture.server.origin}/mcp/${applicationId}`,
      modernRequest(method, { notifications: { toolsListChanged: true } }),
    );
    expect(stream.headers['content-type']).toBe(SSE['Content-Type']);
    const acknowledged =
      '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}}';
    const changed = (label: string) =>
      `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"of":"${label}"}}`;
    for (const each of servers) {
      const upstream = await each.stream();
      await upstream.send(`data: ${acknowledged}\n\n`);
      await upstream.send(`data: ${changed(each === servers[0] ? 'a' : 'b')}\n\n`);
    }
    await stream.received(changed('a'));
    const received = await stream.received(changed('b'));
    expect(received.match(/subscriptions\/acknowledged/g)).toHaveLength(1);
    expect(received).toContain('"io.modelcontextprotocol/subscriptionId"');
    stream.abort();
    for (const each of servers) await each.server.close();
  });
});

describe('an integration of the other era', () => {
  const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  const renamed: Parameters<ScriptedServer['on']>[1] = ({ respondResult }) =>
    respondResult({ tools: [toolOf('new')] });

  it('tells a modern client of its changed lists', async () => {
    const { server, stream: upstreamStream } = await startStreaming('a', 'GET');
    const applicationId = await applicationWith([server], { modern: null });
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const client = await openClient(url, fixture.server.owner, 'modern');
    expect((await client.listTools()).names).toEqual(['server-0__echo']);
    const stream = await client.send(
      modernRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    const upstream = await upstreamStream();
    expect(upstream.request.headers).toMatchObject({
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': 'a-1',
    });
    server.on('tools/list', renamed);
    await upstream.send(`data: ${MESSAGE}\n\ndata: ${CHANGED}\n\n`);
    const received = await stream.received('notifications/tools/list_changed');
    expect(received).toContain('subscriptionId');
    expect(received).not.toContain('notifications/message');
    expect((await client.listTools()).names).toEqual(['server-0__new']);
    stream.abort();
    await server.close();
  });

  it('tells a legacy client of its changed lists', async () => {
    const method = 'subscriptions/listen';
    const { server, stream: upstreamStream } = await startStreaming('a', method);
    const eras = { legacy: null, modern: '2026-07-28', listChanged: ['tools'] };
    const applicationId = await applicationWith([server], eras);
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const client = await openClient(url, fixture.server.owner, 'legacy');
    expect((await client.listTools()).names).toEqual(['server-0__echo']);
    const stream = await openStream(client);
    const upstream = await upstreamStream();
    const { params } = JSON.parse(upstream.request.body.toString());
    expect(params.notifications).toEqual({ toolsListChanged: true });
    expect(upstream.request.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    });
    server.on('tools/list', renamed);
    await upstream.send(`data: ${CHANGED}\n\n`);
    expect(await stream.received(CHANGED)).not.toContain('subscriptions/acknowledged');
    expect((await client.listTools()).names).toEqual(['server-0__new']);
    stream.abort();
    await server.close();
  });

  it('is not followed where it announces nothing', async () => {
    const { server } = await startStreaming('a', 'GET');
    const applicationId = await applicationWith([server], { modern: null, listChanged: [] });
    const url = `${fixture.server.origin}/mcp/${applicationId}`;
    const client = await openClient(url, fixture.server.owner, 'modern');
    const stream = await client.send(
      modernRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    await stream.received('subscriptions/acknowledged');
    expect((await client.listTools()).names).toEqual(['server-0__echo']);
    expect(server.received('GET')).toEqual([]);
    stream.abort();
    await server.close();
  });
});
