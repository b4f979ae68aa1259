import type { Exchange } from '@gatehouse/testing';
import { beforeEach, expect, it } from 'vitest';
import type { Era } from '../../../src/mcp/era.ts';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { useOtherNode } from './other-node.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const other = useOtherNode(fixture);
const server = use(() => startScriptedServer('only'));
let integrationId: string;
let applicationId: string;

beforeEach(async () => {
  server.speakOnly(undefined);
  server.onAll(undefined);
  server.on('tools/list', undefined);
  server.on('server/discover', ({ respondResult }) =>
    respondResult({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
  );
  applicationId = await newApplication(fixture);
  integrationId = await fixture.integrate({ name: 'Only', url: server.url });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
});

const openAt = (origin: string) =>
  openClient(`${origin}/mcp/${applicationId}`, fixture.server.owner, 'modern');

async function know(era: Era): Promise<void> {
  const eras = { legacy: '2025-11-25', modern: era === 'modern' ? '2026-07-28' : null };
  await fixture.server.store.transaction(async ({ db, announce }) => {
    await db.integration.update({
      where: { id: integrationId },
      data: { spokenEras: { url: server.url, ...eras } },
    });
    announce({ kind: 'integration', id: integrationId });
  });
}

async function validate(): Promise<void> {
  const { body } = await fixture.api('POST', `/integrations/${integrationId}/validate`);
  expect(body.status).toBe('valid');
}

const isLegacy = ({ request }: Exchange) =>
  request.method === 'POST' && request.headers['mcp-protocol-version'] !== '2026-07-28';
const legacyRequests = () =>
  ['initialize', 'tools/call'].flatMap((method) => server.received(method).filter(isLegacy)).length;

it('the era that a validation finds is spoken by the next call, and within a second on another node', async () => {
  await know('legacy');
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
  await know('modern');
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
