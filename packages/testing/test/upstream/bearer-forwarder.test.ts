import { request } from 'node:http';
import { connectMcpClient, startBearerForwarder } from '@gatehouse/harness';
import { afterEach, expect, it } from 'vitest';
import { startScriptedUpstream } from '../../src/scripted-upstream/start-scripted-upstream.ts';
import { startUpstream } from '../../src/upstream/start-upstream.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(token: string) {
  const upstream = await startUpstream({ requireBearer: 'right' });
  const forwarder = await startBearerForwarder({ target: upstream.url, token });
  closers.push(upstream.close, forwarder.close);
  return { upstream, forwarder };
}

it('replaces the bearer token that the client sent', async () => {
  const { upstream, forwarder } = await start('right');
  const client = await connectMcpClient({ url: forwarder.url, era: 'modern', bearer: 'wrong' });
  closers.push(client.close);
  expect(await client.callTool('echo', { text: 'through' })).toBe('through');
  expect(upstream.hasReceived('wrong')).toBe(false);
});

it('passes the answer to a refused token on', async () => {
  const { forwarder } = await start('other');
  const response = await fetch(forwarder.url, { method: 'POST', body: '{}' });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('reference-upstream');
});

it('delivers server messages on an open stream at once', async () => {
  const { forwarder } = await start('right');
  const client = await connectMcpClient({ url: forwarder.url, era: 'legacy' });
  closers.push(client.close);
  const changed = new Promise<void>((resolve) => {
    client.client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
  });
  await client.callTool('test_trigger_tool_change');
  await changed;
});

it('translates its own Origin and leaves a foreign one foreign', async () => {
  const { upstream, forwarder } = await start('right');
  const post = (origin: string) =>
    fetch(forwarder.url, { method: 'POST', body: '{}', headers: { origin } });
  expect((await post(new URL(forwarder.url).origin)).status).toBe(415);
  expect(upstream.requests.at(-1)?.headers.origin).toBe(new URL(upstream.url).origin);
  expect((await post('http://evil.example')).status).toBe(403);
  expect(upstream.requests.at(-1)?.headers.origin).toBe('http://evil.example');
});

it('translates its own Host and leaves a foreign one foreign', async () => {
  const { upstream, forwarder } = await start('right');
  const post = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(forwarder.url, { method: 'POST', headers: { host } });
      sent.on('error', reject).on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.end('{}');
    });
  expect(await post(`localhost:${new URL(forwarder.url).port}`)).toBe(415);
  expect(upstream.requests.at(-1)?.headers.host).toBe(new URL(upstream.url).host);
  expect(await post('evil.example')).toBe(403);
  expect(upstream.requests.at(-1)?.headers.host).toBe('evil.example');
});

it('passes the headers of a quiet stream on at once, and the end of either side', async () => {
  const scripted = await startScriptedUpstream();
  const forwarder = await startBearerForwarder({ target: scripted.url, token: 'right' });
  closers.push(scripted.close, forwarder.close);
  for (const side of ['client', 'target']) {
    const leaving = new AbortController();
    const opening = fetch(forwarder.url, { signal: leaving.signal });
    const exchange = await scripted.nextRequest();
    exchange.startSse();
    const { body } = await opening;
    const read = body?.getReader().read();
    if (side === 'client') leaving.abort();
    else exchange.drop();
    await expect(read).rejects.toThrow();
    expect(await exchange.closed).toBe('aborted');
  }
});
