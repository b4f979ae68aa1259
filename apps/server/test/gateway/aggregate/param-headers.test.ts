import { beforeEach, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { useFixture } from '../fixture.ts';
import { type AggregateClient, newApplication, openClient } from './aggregate-client.ts';
import { startScriptedServer } from './scripted-server.ts';

const HEADER_MISMATCH = -32020;

const fixture = useFixture();
const server = use(() => startScriptedServer('a'));
let client: AggregateClient;

beforeEach(async () => {
  const applicationId = await newApplication(fixture);
  const eras = { legacy: null, modern: '2026-07-28' };
  const id = await fixture.integrate({ name: 'A', url: server.url }, eras);
  await fixture.api('POST', `/applications/${applicationId}/integrations/${id}`);
  const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
  const tool = { name: 'find', inputSchema: { type: 'object', properties } };
  server.on('tools/list', ({ respondResult }) => respondResult({ tools: [tool] }));
  server.on('tools/call', ({ request, message, respond, respondResult }) => {
    if (request.headers['mcp-param-region'] === 'north') return respondResult({ content: [] });
    const error = { code: HEADER_MISMATCH, message: 'Mcp-Param-Region is missing.' };
    respond({ status: 400, body: { jsonrpc: '2.0', id: message?.id, error } });
  });
  const { origin, owner } = fixture.server;
  client = await openClient(`${origin}/mcp/${applicationId}`, owner, 'legacy');
});

/** How often the server was called for one call of the client, which succeeds. */
async function callsFor(): Promise<number> {
  const before = server.received('tools/call').length;
  expect((await client.call('a__find', { region: 'north' })).body.result).toEqual({ content: [] });
  return server.received('tools/call').length - before;
}

it('a call of a legacy client has the headers that a modern server wants at once', async () => {
  await client.listTools();
  expect(await callsFor()).toBe(1);
});

it('a call of a tool that this node has not listed gets them once the server asks for them', async () => {
  expect(await callsFor()).toBe(2);
  expect(await callsFor()).toBe(1);
});
