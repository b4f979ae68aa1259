import { connectMcpClient, type McpEra } from '@gatehouse/harness';
import { afterEach, describe, expect, it } from 'vitest';
import { startUpstream, type UpstreamOptions } from '../../src/upstream/start-upstream.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(options: UpstreamOptions = {}) {
  const upstream = await startUpstream(options);
  closers.push(upstream.close);
  return upstream;
}

async function connect(url: string, era: McpEra, headers: Record<string, string> = {}) {
  const client = await connectMcpClient({ url, era, headers });
  closers.push(() => client.client.close());
  return client;
}

function post(url: string, method: string, params: object, session?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

/** Without a client, so that nothing but the test opens a stream. */
async function openRawSession(url: string, capabilities: object = {}): Promise<string> {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  const response = await post(url, 'initialize', params);
  await response.body?.cancel();
  return response.headers.get('mcp-session-id') ?? '';
}

describe.each<McpEra>(['legacy', 'modern'])('a %s client', (era) => {
  it('lists and calls the plain tools', async () => {
    const client = await connect((await start()).url, era);
    expect(await client.listTools()).toEqual(expect.arrayContaining(['echo', 'add', 'slow']));
    expect(await client.callTool('echo', { text: 'grüezi' })).toBe('grüezi');
    expect(await client.callTool('add', { a: 2, b: 3 })).toBe('5');
    expect(await client.callTool('slow', { milliseconds: 5 })).toBe('waited 5 ms');
    expect(await client.callTool('large_result', { bytes: 300_000 })).toHaveLength(300_000);
  });

  it('is recorded in what it sends and in what it receives', async () => {
    const upstream = await start();
    const client = await connect(upstream.url, era, { 'X-Mark': 'in-a-header' });
    await client.callTool('echo', { text: 'in-a-body' });
    expect(upstream.hasReceived('in-a-header')).toBe(true);
    expect(upstream.hasReceived('in-a-body')).toBe(true);
    expect(upstream.hasReceived('never-sent')).toBe(false);
    expect(client.received.hasReceived('in-a-body')).toBe(true);
    expect(client.received.hasReceived('in-a-header')).toBe(false);
  });

  it('is refused without the bearer token and served with it', async () => {
    const { url } = await start({ requireBearer: 'right' });
    await expect(connectMcpClient({ url, era })).rejects.toThrow();
    await expect(connectMcpClient({ url, era, bearer: 'wrong' })).rejects.toThrow();
    const client = await connectMcpClient({ url, era, bearer: 'right' });
    expect(await client.callTool('echo', { text: 'hello' })).toBe('hello');
    await client.close();
  });

  it('is refused without the required header and served with it', async () => {
    const { url } = await start({ requireHeader: { name: 'X-Api-Key', value: 'right' } });
    await expect(connect(url, era, { 'X-Api-Key': 'wrong' })).rejects.toThrow();
    const client = await connect(url, era, { 'x-api-key': 'right' });
    expect(await client.callTool('echo', { text: 'hello' })).toBe('hello');
  });
});

it('answers 401 with a challenge from the moment authorize says no', async () => {
  let allowed = true;
  const upstream = await start({ authorize: () => allowed });
  const post = () => fetch(upstream.url, { method: 'POST', body: 'not json' });
  expect((await post()).status).toBe(400);
  allowed = false;
  const refused = await post();
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer /);
});

it.each(['GET', 'DELETE'])(
  'has no %s for clients of 2026-07-28, which have no sessions',
  async (method) => {
    const upstream = await start();
    const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' };
    const response = await fetch(upstream.url, { method, headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  },
);

it('opens one session for each initialize and ends it on DELETE', async () => {
  const upstream = await start();
  const client = await connect(upstream.url, 'legacy');
  await connect(upstream.url, 'modern');
  expect(upstream.sessionIds).toEqual([client.transport.sessionId]);
  await client.close();
  expect(upstream.sessionIds).toEqual([]);
  expect(upstream.requests.at(0)?.requestLine).toBe('POST /mcp HTTP/1.1');
  expect(upstream.requests.at(-1)?.requestLine).toBe('DELETE /mcp HTTP/1.1');
});

it('answers 404 to a session that it has forgotten', async () => {
  const upstream = await start();
  const client = await connect(upstream.url, 'legacy');
  const headers = { 'mcp-session-id': client.transport.sessionId ?? '' };
  await upstream.forgetSessions();
  expect(upstream.sessionIds).toEqual([]);
  const response = await fetch(upstream.url, { method: 'DELETE', headers });
  expect(response.status).toBe(404);
});

it('sends the headers of a quiet stream at once', async () => {
  const upstream = await start();
  const session = await openRawSession(upstream.url);
  const stream = await fetch(upstream.url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session },
  });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

it.each(['test_elicitation', 'test_sampling'])(
  'sends the client request of %s on the stream of the call',
  async (name) => {
    const { url } = await start();
    const session = await openRawSession(url, { elicitation: {}, sampling: {} });
    const args = { message: 'What?', prompt: 'What?' };
    const { body } = await post(url, 'tools/call', { name, arguments: args }, session);
    const reader = body?.getReader();
    let received = '';
    while (!received.includes('"method"')) {
      received += Buffer.from((await reader?.read())?.value ?? []).toString();
    }
    expect(received).toMatch(/"method":"(elicitation\/create|sampling\/createMessage)"/);
  },
);

it('sends a server message on the stream of a legacy session and to a modern subscriber', async () => {
  const upstream = await start();
  const legacy = await connect(upstream.url, 'legacy');
  const modern = await connect(upstream.url, 'modern');
  const subscription = await modern.client.listen({ toolsListChanged: true });
  const changed = [legacy, modern].map(
    ({ client }) =>
      new Promise<void>((resolve) => {
        client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
      }),
  );
  await legacy.callTool('test_trigger_tool_change');
  await changed[0];
  await modern.callTool('test_trigger_tool_change');
  await changed[1];
  await subscription.close();
});

it.each<[McpEra, McpEra]>([
  ['legacy', 'modern'],
  ['modern', 'legacy'],
])('an upstream of the %s era speaks no other', async (era, other) => {
  const { url } = await start({ era });
  const client = await connect(url, era);
  expect(await client.callTool('echo', { text: 'alone' })).toBe('alone');
  await expect(connect(url, other)).rejects.toThrow();
});
