import { useRunningGatehouse } from './support/running-gatehouse.ts';

useRunningGatehouse();

//#region readme
import { Gatehouse } from '@gatehouse/sdk';
import { startUpstream } from '@gatehouse/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';

it('calls a tool through Gatehouse, which keeps the credentials apart', async () => {
  const upstream = await startUpstream({ requireBearer: 'token-of-the-mcp-server' });
  onTestFinished(upstream.close);

  // Reads GATEHOUSE_BASE_URL and GATEHOUSE_ACCESS_TOKEN.
  const gatehouse = new Gatehouse();
  const { integration } = await gatehouse.integrations.create({
    name: 'Reference upstream',
    url: upstream.url,
    authMode: 'server_token',
    serverToken: 'token-of-the-mcp-server',
  });
  const { application } = await gatehouse.applications.create({
    name: 'My application',
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);

  // Your own application goes here.
  const ownToken = process.env.GATEHOUSE_ACCESS_TOKEN ?? '';
  const url = application.mcpUrlTemplate?.replace('{integrationId}', integration.id) ?? '';
  const client = new Client({ name: 'my-application', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${ownToken}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  const { content } = await client.callTool({ name: 'echo', arguments: { text: 'Hello' } });
  expect(content).toEqual([{ type: 'text', text: 'Hello' }]);
  expect(upstream.hasReceived('token-of-the-mcp-server')).toBe(true);
  expect(upstream.hasReceived(ownToken)).toBe(false);
  await client.close();
});
//#endregion
