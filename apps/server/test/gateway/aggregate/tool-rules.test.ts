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
