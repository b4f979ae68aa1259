import type { Exchange } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Era } from '../../../src/mcp/era.ts';
import type { SpokenEras } from '../../../src/mcp/spoken-eras.ts';
import { use } from '../../support/use.ts';
import { modernRequest } from '../connect-fixture.ts';
import { BOTH, useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { useOtherNode } from './other-node.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const other = useOtherNode(fixture);
const server = use(() => startScriptedServer('only'));
let integrationId: string;
let applicationId: string;

beforeEach(() => {
  server.speakOnly(undefined);
  server.onAll(undefined);
  for (const method of ['tools/list', 'tools/call', 'initialize', 'server/discover'])
    server.on(method, undefined);
});

/** A new application with this integration alone. */
async function attach(eras?: SpokenEras): Promise<void> {
  applicationId = await newApplication(fixture);
  integrationId = await fixture.integrate({ name: 'Only', url: server.url });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  if (eras !== undefined) await know(eras);
}

async function know(eras: SpokenEras): Promise<void> {
  await fixture.server.store.transaction(async ({ db, announce }) => {
    await db.integration.update({
      where: { id: integrationId },
      data: { spokenEras: { url: server.url, ...eras } },
    });
    announce({ kind: 'integration', id: integrationId });
  });
}

const openAt = (origin: string, era: Era = 'modern') =>
  openClient(`${origin}/mcp/${applicationId}`, fixture.server.owner, era);

describe('after a validation', () => {
  beforeEach(async () => {
    server.on('server/discover', ({ respondResult }) =>
      respondResult({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
    );
    await attach();
  });

  async function validate(): Promise<void> {
    const { body } = await fixture.api('POST', `/integrations/${integrationId}/validate`);
    expect(body.status).toBe('valid');
  }

  const isLegacy = ({ request }: Exchange) =>
    request.method === 'POST' && request.headers['mcp-protocol-version'] !== '2026-07-28';
  const legacyRequests = () =>
    ['initialize', 'tools/call'].flatMap((method) => server.received(method).filter(isLegacy))
      .length;

  it('the era that a validation finds is spoken by the next call, and within a second on another node', async () => {
    await know({ ...BOTH, modern: null });
    server.speakOnly('legacy');
    const clients = [await openAt(fixture.server.origin), await openAt(other.origin)] as const;
    for (const { call } of clients) {
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
    }
    server.speakOnly('modern');
    await validate();
    const before = legacyRequests();
    expect((await clients[0].call('only__echo')).body.result.content[0].text).toBe('only');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await clients[1].call('only__echo')).body.result.content[0].text).toBe('only');
    expect(legacyRequests()).toBe(before);
  });

  it('the era that a validation finds replaces what the integration said when it refused a call', async () => {
    await know(BOTH);
    server.speakOnly('legacy');
    const { call } = await openAt(fixture.server.origin);
    expect((await call('only__echo')).body.result.content[0].text).toBe('only');
    server.speakOnly('modern');
    await validate();
    const before = legacyRequests();
    expect((await call('only__echo')).body.result.content[0].text).toBe('only');
    expect(legacyRequests()).toBe(before);
  });

  it('a list that had failed is read again by the request after a validation', async () => {
    server.on('tools/list', ({ respond }) => respond({ status: 500 }));
    const { listTools } = await openAt(fixture.server.origin);
    expect((await listTools()).states).toEqual({ only: 'failed 0' });
    server.on('tools/list', undefined);
    await validate();
    expect((await listTools()).states).toEqual({ only: 'ok 1' });
  });

  it('a list that was fresh is read again by the request after a validation', async () => {
    const { listTools } = await openAt(fixture.server.origin);
    expect((await listTools()).names).toEqual(['only__echo']);
    server.on('tools/list', ({ respondResult }) => respondResult({ tools: [toolOf('later')] }));
    await validate();
    expect((await listTools()).names).toEqual(['only__later']);
  });

  const tools = async () => (await fixture.api('GET', `/integrations/${integrationId}/tools`)).body;

  it('the tools of a validation can be read and approved at once', async () => {
    await validate();
    // On other nodes too, which have not seen them.
    const rows = fixture.server.store.db.toolDefinition;
    expect(await rows.count({ where: { integrationId } })).toBe(1);
    const { items } = await tools();
    expect(items).toMatchObject([{ name: 'echo', state: 'new' }]);
    const fingerprints = { echo: items[0].fingerprint };
    const path = `/integrations/${integrationId}/tools/approve`;
    expect((await fixture.api('POST', path, { fingerprints })).body).toEqual({ changed: ['echo'] });
  });

  it('a tool that a client has listed under rules is in the catalogue that is read next', async () => {
    const policy = { tools: { pinned: 'definition' } };
    await fixture.api('PUT', `/integrations/${integrationId}/policy`, policy);
    server.on('tools/list', ({ respondResult }) => respondResult({ tools: [toolOf('fresh')] }));
    const { listTools } = await openAt(fixture.server.origin);
    await listTools();
    expect((await tools()).items).toMatchObject([{ name: 'fresh', state: 'new' }]);
  });
});

const OTHER = { legacy: 'modern', modern: 'legacy' } as const;
const ERAS = ['legacy', 'modern'] as const;
const knownOnly = (era: Era) => ({
  legacy: era === 'legacy' ? '2025-11-25' : null,
  modern: era === 'modern' ? '2026-07-28' : null,
});

const attachKnownAs = (era: Era): Promise<void> => attach(knownOnly(era));

const open = (era: Era) => openAt(fixture.server.origin, era);
const calls = () => server.received('tools/call').length;

describe.each(ERAS)('a %s client', (client) => {
  describe.each(ERAS)('of an integration that spoke only the %s era and now the other', (known) => {
    it('has its call answered', async () => {
      await attachKnownAs(known);
      server.speakOnly(OTHER[known]);
      const { call } = await open(client);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      const sent = calls();
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      expect(calls()).toBe(sent + 1);
    });

    it('has its list', async () => {
      await attachKnownAs(known);
      server.speakOnly(OTHER[known]);
      const { listTools } = await open(client);
      expect((await listTools()).states).toEqual({ only: 'ok 1' });
    });

    it('has its call answered when that changes during a session', async () => {
      await attachKnownAs(known);
      server.speakOnly(known);
      const { call } = await open(client);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      server.speakOnly(OTHER[known]);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
    });
  });
});

it.each([
  ['a status of the server', 500],
  ['a status about credentials', 403],
])('%s is no evidence', async (_name, status) => {
  await attachKnownAs('modern');
  const { call } = await open('modern');
  const asked = server.received('server/discover').length;
  server.on('tools/call', ({ respond }) => respond({ status, body: 'no' }));
  const { body } = await call('only__echo');
  expect(body.error.data).toMatchObject({ code: 'upstream_status', status });
  expect(server.received('server/discover')).toHaveLength(asked);
});

it('an error with the status of a bad request passes if the era is right, and is sent once', async () => {
  await attachKnownAs('modern');
  const error = { code: -32602, message: 'No such argument' };
  server.on('tools/call', ({ respond, message }) =>
    respond({ status: 400, body: { jsonrpc: '2.0', id: message?.id, error } }),
  );
  for (const era of ERAS) {
    const { call } = await open(era);
    const sent = calls();
    expect((await call('only__echo')).body).toEqual({ jsonrpc: '2.0', id: 5, error });
    expect(calls()).toBe(sent + 1);
  }
});

it('an integration that refuses everything is not asked at each call', async () => {
  await attachKnownAs('legacy');
  const { call } = await open('legacy');
  server.onAll(({ respond }) => respond({ status: 400, body: 'no' }));
  const asked = server.received('server/discover').length;
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('only__echo')));
  for (const { body } of answers) expect(body.error.data.code).toBe('upstream_status');
  expect(server.received('server/discover')).toHaveLength(asked + 1);
});

describe('an integration that nothing is known of', () => {
  const versions = (method: string, from: number) =>
    server
      .received(method)
      .slice(from)
      .map(({ request }) => request.headers['mcp-protocol-version']);

  it.each([
    ['legacy', '2025-11-25'],
    ['modern', '2026-07-28'],
  ] as const)(
    'is called and listed in the era of a %s client if it speaks both',
    async (era, version) => {
      await attach({});
      const [called, listed] = [calls(), server.received('tools/list').length];
      const { call, listTools } = await open(era);
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
      expect((await listTools()).states).toEqual({ only: 'ok 1' });
      expect(versions('tools/call', called)).toEqual([version]);
      expect(versions('tools/list', listed)).toEqual([version]);
    },
  );

  it('is asked once by simultaneous calls and lists of modern clients', async () => {
    await attach({});
    const asked = server.received('server/discover').length;
    const clients = await Promise.all([open('modern'), open('modern')]);
    await Promise.all(clients.flatMap(({ call, listTools }) => [call('only__echo'), listTools()]));
    await clients[0]?.call('only__echo');
    expect(server.received('server/discover')).toHaveLength(asked + 1);
  });

  it('is not asked again at each call while it does not show its eras', async () => {
    await attach({});
    server.on('server/discover', ({ respond }) => respond({ status: 503 }));
    const asked = server.received('server/discover').length;
    const { call } = await open('modern');
    for (let i = 0; i < 3; i += 1) {
      expect((await call('only__echo')).body.result.content[0].text).toBe('only');
    }
    expect(server.received('server/discover')).toHaveLength(asked + 1);
  });

  it('is listened to in the era of a modern client if it speaks both', async () => {
    await attach({});
    server.on('subscriptions/listen', ({ startSse }) => startSse());
    const listened = server.received('subscriptions/listen').length;
    const { send } = await open('modern');
    const params = { notifications: { toolsListChanged: true } };
    const stream = await send(modernRequest('subscriptions/listen', params));
    await expect.poll(() => server.received('subscriptions/listen').length).toBe(listened + 1);
    stream.abort();
  });
});

it.each(['legacy', 'modern'] as const)(
  'a tool that is approved is listed by the next request, in the %s era',
  async (era) => {
    const applicationId = await newApplication(fixture);
    const integrationId = await fixture.integrate({ name: 'Pinned', url: server.url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
    const policy = { tools: { pinned: 'definition' } };
    await fixture.api('PUT', `/integrations/${integrationId}/policy`, policy);
    server.on('tools/list', ({ respondResult }) => respondResult({ tools: [toolOf('open')] }));
    const { origin, owner, store } = fixture.server;
    const client = await openClient(`${origin}/mcp/${applicationId}`, owner, era);
    expect((await client.listTools()).names).toEqual([]);
    expect((await client.call('pinned__open')).body.error.code).toBe(-31003);
    await expect.poll(() => store.db.toolDefinition.count({ where: { integrationId } })).toBe(1);
    await store.transaction(async ({ db, announce }) => {
      await db.toolDefinition.updateMany({
        where: { integrationId },
        data: { approvedAt: new Date() },
      });
      announce({ kind: 'tools', id: integrationId });
    });
    expect((await client.listTools()).names).toEqual(['pinned__open']);
    expect((await client.call('pinned__open')).body.result.content[0].text).toBe('only');
  },
);

it('rules that come while a list is read hold for the next request', async () => {
  const applicationId = await newApplication(fixture);
  const integrationId = await fixture.integrate({ name: 'Ruled', url: server.url });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  const { origin, owner } = fixture.server;
  const client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'modern');
  const waiting: Exchange[] = [];
  const before = server.received('tools/list').length;
  server.on('tools/list', (exchange) => void waiting.push(exchange));
  const first = client.listTools();
  await expect.poll(() => server.received('tools/list').length).toBe(before + 1);
  const policy = { tools: { deny: ['secret'] } };
  await fixture.api('PUT', `/integrations/${integrationId}/policy`, policy);
  const second = client.listTools();
  await expect.poll(() => server.received('tools/list').length).toBe(before + 2);
  const tools = ['open', 'secret'].map(toolOf);
  for (const { respondResult } of waiting) respondResult({ tools });
  await first;
  expect((await second).names).toEqual(['ruled__open']);
  server.on('tools/list', ({ respondResult }) => respondResult({ tools }));
  expect((await client.listTools()).names).toEqual(['ruled__open']);
});
