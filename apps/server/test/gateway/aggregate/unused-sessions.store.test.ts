import type { Exchange } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabaseKind } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { startGateway, useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const fixture = useFixture();
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
