import type { Exchange } from '@gatehouse/testing';
import { expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer, toolOf } from './scripted-server.ts';

const fixture = useFixture();
const upstream = use(() => startScriptedServer('any'));

it.each(['legacy', 'modern'] as const)(
  'a tool that is approved is listed by the next request, in the %s era',
  async (era) => {
    const applicationId = await newApplication(fixture);
    const integrationId = await fixture.integrate({ name: 'Pinned', url: upstream.url });
    await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
    const policy = { tools: { pinned: 'definition' } };
    await fixture.api('PUT', `/integrations/${integrationId}/policy`, policy);
    upstream.on('tools/list', ({ respondResult }) => respondResult({ tools: [toolOf('open')] }));
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
    expect((await client.call('pinned__open')).body.result.content[0].text).toBe('any');
  },
);

it('rules that come while a list is read hold for the next request', async () => {
  const applicationId = await newApplication(fixture);
  const integrationId = await fixture.integrate({ name: 'Ruled', url: upstream.url });
  await fixture.api('POST', `/applications/${applicationId}/integrations/${integrationId}`);
  const { origin, owner } = fixture.server;
  const client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'modern');
  const waiting: Exchange[] = [];
  const before = upstream.received('tools/list').length;
  upstream.on('tools/list', (exchange) => void waiting.push(exchange));
  const first = client.listTools();
  await expect.poll(() => upstream.received('tools/list').length).toBe(before + 1);
  const policy = { tools: { deny: ['secret'] } };
  await fixture.api('PUT', `/integrations/${integrationId}/policy`, policy);
  const second = client.listTools();
  await expect.poll(() => upstream.received('tools/list').length).toBe(before + 2);
  const tools = ['open', 'secret'].map(toolOf);
  for (const { respondResult } of waiting) respondResult({ tools });
  await first;
  expect((await second).names).toEqual(['ruled__open']);
  upstream.on('tools/list', ({ respondResult }) => respondResult({ tools }));
  expect((await client.listTools()).names).toEqual(['ruled__open']);
});
