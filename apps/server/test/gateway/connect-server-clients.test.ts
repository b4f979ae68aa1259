import { connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UrlElicitationRequiredError,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { use } from '../support/use.ts';
import { startUnconnected, type Unconnected } from './connect-fixture.ts';
import { BOTH, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const upstream = use(() => startUpstream({ requireBearer: 'secret' }));
const start = () => startUnconnected(fixture, { name: 'Reference', url: upstream.url });

it('the official client of the legacy era learns how to connect, and goes on with the same connection', async () => {
  const person = await start();
  const options = { url: person.url, era: 'legacy', bearer: person.token } as const;
  const client = await connectMcpClient(options);
  expect(client.client.getServerVersion()?.name).toBe('gatehouse-connect');
  expect(await client.listTools()).toEqual(['connect_account']);
  expect(await client.callTool('connect_account')).toContain(person.connectUrl);
  await expect(client.callTool('test_simple_text')).rejects.toThrow(person.connectUrl);
  await person.connect();
  expect(await client.listTools()).toContain('test_simple_text');
  expect(await client.callTool('test_simple_text')).toMatch(/simple text/);
  await client.close();
});

it('the official client of the modern era goes on with the same connection', async () => {
  const person = await start();
  const { url, token } = person;
  const client = await connectMcpClient({ url, era: 'modern', bearer: token });
  expect(await client.listTools()).toEqual(['connect_account']);
  expect(await client.callTool('connect_account')).toContain(person.connectUrl);
  await person.connect();
  expect(await client.listTools()).toContain('test_simple_text');
  expect(await client.callTool('test_simple_text')).toMatch(/simple text/);
  await client.close();
});

it.each(['legacy', 'modern'] as const)(
  'a %s client that opens URLs is given one to open',
  async (era) => {
    const person = await start();
    const capabilities = { elicitation: { url: {} } };
    const client = await connectMcpClient({
      url: person.url,
      era,
      bearer: person.token,
      capabilities,
    });
    const opened: unknown[] = [];
    client.client.setRequestHandler('elicitation/create', async ({ params }) => {
      opened.push(params);
      await person.connect();
      return { action: 'accept' };
    });
    if (era === 'legacy') {
      const error = await client.callTool('connect_account').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UrlElicitationRequiredError);
      expect((error as UrlElicitationRequiredError).elicitations[0]).toMatchObject({
        url: person.connectUrl,
      });
    } else {
      expect(await client.callTool('connect_account')).toContain('is connected to “');
      expect(opened).toMatchObject([{ mode: 'url', url: person.connectUrl }]);
      expect(await client.listTools()).toContain('test_simple_text');
      // Without our state, a tool of this name is the upstream's.
      await expect(client.callTool('connect_account')).rejects.toThrow('not found');
    }
    await client.client.close();
  },
);

it('the SDK 1.32 hears that the tools have changed, and lists them', async () => {
  const person = await start();
  const gateway = await startGateway(fixture.server.store);
  const url = new URL(fixture.urlOf(person.integrationId, gateway.origin));
  const connect = async () => {
    const client = new Client({ name: 'client', version: '1' });
    const headers = { Authorization: `Bearer ${person.token}` };
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
    });
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    await client.connect(transport);
    return { client, changed };
  };
  const { client, changed } = await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['connect_account']);
  // Its stream is opened in the background.
  const opened = 'gatehouse_gateway_open_streams 1';
  await expect
    .poll(() => gateway.metrics.registry.metrics(), { timeout: 30_000 })
    .toContain(opened);
  await person.connect();
  await changed;
  expect((await client.listTools()).tools.length).toBeGreaterThan(1);
  await client.close();
  await gateway.close();
});

const LEGACY_ALONE = { legacy: '2025-11-25', modern: null };
const MODERN_ALONE = { legacy: null, modern: '2026-07-28' };

/** The official client 2.4, with what it says of the protocol. */
function startClient(
  { url, token }: Unconnected,
  mode: NonNullable<VersionNegotiationOptions['mode']>,
) {
  const client = new ModernClient(
    { name: 'client', version: '1' },
    { versionNegotiation: { mode } },
  );
  const headers = { Authorization: `Bearer ${token}` };
  const transport = new ModernTransport(new URL(url), { requestInit: { headers } });
  return { client, connected: client.connect(transport) };
}

describe.each([
  ['both eras', undefined, BOTH],
  ['the legacy era alone', 'legacy', LEGACY_ALONE],
  ['the modern era alone', 'modern', MODERN_ALONE],
] as const)('in front of an upstream that speaks %s', (_name, era, eras) => {
  const own = use(() => startUpstream({ requireBearer: 'secret', ...(era && { era }) }));

  it.each([
    ['that initializes', 'legacy', era === 'modern'],
    ['that finds out', 'auto', false],
    ['of 2026-07-28', { pin: '2026-07-28' }, era === 'legacy'],
  ] as const)(
    'a client %s goes on as it runs, or is refused before',
    async (_era, mode, isRefused) => {
      const person = await startUnconnected(fixture, { url: own.url }, eras);
      const { client, connected } = startClient(person, mode);
      if (isRefused) {
        const error = await connected.catch((thrown: unknown) => thrown);
        expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).toContain(
          era === 'modern' ? person.connectUrl : '2026-07-28',
        );
        return;
      }
      await connected;
      expect((await client.listTools()).tools).toMatchObject([{ name: 'connect_account' }]);
      await person.connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('test_simple_text');
      const called = await client.callTool({ name: 'test_simple_text', arguments: {} });
      expect(called.content).toMatchObject([{ type: 'text' }]);
      await client.close();
    },
  );
});
