import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { EVERYTHING, PLAYWRIGHT, startRealServer } from '../real-servers.ts';

const fixture = useFixture();
type Lists = Pick<Client, 'listTools' | 'listPrompts' | 'listResources' | 'callTool' | 'close'>;

const CLIENTS = {
  async 'SDK 1'(url: string, headers: Record<string, string>): Promise<Lists> {
    const client = new Client({ name: 'client', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    return client;
  },
  async 'client 2'(url: string, headers: Record<string, string>): Promise<Lists> {
    const client = new NewClient({ name: 'client', version: '1' });
    await client.connect(new NewTransport(new URL(url), { requestInit: { headers } }));
    return client as unknown as Lists;
  },
};

describe.each([EVERYTHING, PLAYWRIGHT])('before $name', (program) => {
  const server = use(() => startRealServer(program));

  describe.each(Object.entries(CLIENTS))('%s', (_client, connect) => {
    it('gets what rules leave of a list, as the server sent it', async () => {
      const id = await fixture.integrate({ url: server.url, authMode: 'none' }, {});
      const policy = `/integrations/${id}/policy`;
      const direct = await connect(server.url, {});
      const { tools } = await direct.listTools();
      expect(tools.length).toBeGreaterThan(5);
      const denied = tools.filter((_tool, index) => index % 2 === 0).map((tool) => tool.name);
      await fixture.api('PUT', policy, { tools: { deny: denied } });
      const client = await connect(fixture.urlOf(id), {
        authorization: `Bearer ${fixture.server.owner}`,
      });
      const left = tools.filter((tool) => !denied.includes(tool.name));
      expect((await client.listTools()).tools).toEqual(left);
      const call = client.callTool({ name: denied[0] ?? '', arguments: {} });
      await expect(call).rejects.toMatchObject({ code: -31003, data: { code: 'policy' } });

      await fixture.api('POST', `/integrations/${id}/validate`);
      const { db, transaction } = fixture.server.store;
      const seen = () => db.toolDefinition.count({ where: { integrationId: id } });
      await expect.poll(seen, { timeout: 10_000 }).toBe(tools.length);
      await fixture.api('PUT', policy, { tools: { pinned: 'definition' } });
      expect((await client.listTools()).tools).toEqual([]);
      await transaction(async (tx) => {
        const data = { approvedAt: new Date() };
        await tx.db.toolDefinition.updateMany({ where: { integrationId: id }, data });
        tx.announce({ kind: 'tools', id });
      });
      expect((await client.listTools()).tools).toEqual(tools);
      expect(await seen()).toBe(tools.length);
      await Promise.all([direct.close(), client.close()]);
    });
  });
});

it('prompts and resources of server-everything are left out, and pages go on', async () => {
  const server = await startRealServer(EVERYTHING);
  const id = await fixture.integrate({ url: server.url, authMode: 'none' }, {});
  const direct = await CLIENTS['SDK 1'](server.url, {});
  const [{ prompts }, { resources }] = [await direct.listPrompts(), await direct.listResources()];
  await fixture.api('PUT', `/integrations/${id}/policy`, {
    prompts: { deny: [prompts[0]?.name] },
    resources: { deny: [resources[0]?.uri] },
  });
  const client = await CLIENTS['SDK 1'](fixture.urlOf(id), {
    authorization: `Bearer ${fixture.server.owner}`,
  });
  expect((await client.listPrompts()).prompts).toEqual(prompts.slice(1));
  const left = await client.listResources();
  expect(left.resources).toEqual(resources.slice(1));
  const echoed = await client.callTool({ name: 'echo', arguments: { message: 'hello' } });
  expect(JSON.stringify(echoed)).toContain('hello');
  await Promise.all([direct.close(), client.close()]);
  await server.close();
});
