import { connectMcpClient } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { use } from '../../support/use.ts';
import { META, modernRequest } from '../connect-fixture.ts';
import { clientOf, useFixture } from '../fixture.ts';
import { startScriptedServer } from './scripted-server.ts';

const LEGACY = { legacy: '2025-11-25', modern: null };

const fixture = useFixture();
const [scripted, other] = [
  use(() => startScriptedServer('scripted')),
  use(() => startScriptedServer('other')),
];
const reference = use(() => startUpstream({ era: 'legacy' }));

/** What the scripted servers have got, besides what begins a session. */
let got: string[] = [];

beforeAll(async () => {
  for (const [name, server] of Object.entries({ Scripted: scripted, Other: other })) {
    await fixture.integrate({ name, url: server.url, authMode: 'none' }, LEGACY);
    server.on('initialize', ({ respondResult }) => {
      got.push(`${name} initialize`);
      const about = { protocolVersion: '2025-11-25', serverInfo: {} };
      const id = `${name}-${got.length}`;
      respondResult({ ...about, capabilities: { logging: {} } }, { 'Mcp-Session-Id': id });
    });
    server.on('logging/setLevel', async ({ request, respondResult }) => {
      // A call that does not wait for the answer comes first.
      await new Promise((resolve) => setTimeout(resolve, 50));
      got.push(`${name} ${JSON.parse(request.body.toString()).params.level}`);
      respondResult({});
    });
    server.on('tools/call', async ({ message, startSse, sendEvent, end }) => {
      got.push(`${name} call`);
      startSse();
      for (const level of ['debug', 'info', 'warning', 'error', 'loud']) {
        const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level } };
        await sendEvent({ data: JSON.stringify(log) });
      }
      const answer = { jsonrpc: '2.0', id: message?.id, result: { content: [] } };
      await sendEvent({ data: JSON.stringify(answer) });
      end();
    });
  }
  await fixture.integrate({ name: 'Real', url: reference.url, authMode: 'none' }, LEGACY);
});

beforeEach(() => {
  got = [];
});

/** Calls a tool as a modern client; the levels of the messages that it hears. */
async function heardAt(logLevel: string | undefined, alias = 'scripted'): Promise<string[]> {
  const { headers, body } = modernRequest('tools/call', { name: `${alias}__echo` });
  const { params } = body as { params: { _meta: Record<string, unknown> } };
  if (logLevel !== undefined) params._meta[`${META}/logLevel`] = logLevel;
  const url = `${fixture.server.origin}/mcp/${fixture.applicationId}`;
  const { text } = await clientOf(fixture.server.owner)(url, { headers, body });
  return [...(await text()).matchAll(/"level":"(\w+)"/g)].map(([, level = '']) => level);
}

it('a session begins with the level that the first call names, and each call hears its own', async () => {
  expect(await heardAt('warning')).toEqual(['warning', 'error', 'loud']);
  expect(got).toEqual(['Scripted initialize', 'Scripted warning', 'Scripted call']);
});

it('a call that is content with fewer messages changes nothing for others', async () => {
  expect(await heardAt('error')).toEqual(['error', 'loud']);
  expect(await heardAt(undefined)).toEqual([]);
  expect(await heardAt('shout')).toEqual([]);
  expect(got).toEqual(['Scripted call', 'Scripted call', 'Scripted call']);
});

it('a call that wants more messages is sent once the server has taken its level', async () => {
  expect(await heardAt('debug')).toEqual(['debug', 'info', 'warning', 'error', 'loud']);
  expect(await heardAt('debug')).toHaveLength(5);
  expect(got).toEqual(['Scripted debug', 'Scripted call', 'Scripted call']);
});

it('a session with another server begins with the most verbose level that was named', async () => {
  expect(await heardAt('error', 'other')).toEqual(['error', 'loud']);
  expect(got).toEqual(['Other initialize', 'Other debug', 'Other call']);
});

it('the official client hears what a real server of the legacy era logs', async () => {
  const url = `${fixture.server.origin}/mcp/${fixture.applicationId}`;
  const { client, close } = await connectMcpClient({
    ...{ url, era: 'modern', bearer: fixture.server.owner, capabilities: {} },
  });
  const heard: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => {
    heard.push(params.level);
  });
  const _meta = { [`${META}/logLevel`]: 'info' };
  await client.callTool({ name: 'real__test_tool_with_logging', arguments: {}, _meta });
  expect(heard).toEqual(['info', 'info', 'info']);
  await close();
});
