import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Exchange } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../support/use.ts';
import { type Answer, clientOf, MODERN, STATELESS, startGateway, useFixture } from './fixture.ts';

const KEEP_ALIVE = ': keep-alive\n\n';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const gateway = use(() => startGateway(fixture.server.store, { limits: { keepAlive: 300 } }));
let url: string;
let integrationId: string;

beforeAll(async () => {
  integrationId = await fixture.integrate({ authMode: 'server_token', serverToken: 'first' });
  url = fixture.urlOf(integrationId, gateway.origin);
});

async function openStream(
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<{ exchange: Exchange; answer: Answer; received: () => string }> {
  const answering = send(url, { method, headers: { ...STATELESS, ...headers } });
  const exchange = await fixture.upstream.nextRequest();
  exchange.startSse(headers['accept-encoding'] ? { 'Content-Encoding': 'gzip' } : {});
  const answer = await answering;
  let text = '';
  answer.stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  return { exchange, answer, received: () => text };
}

describe('a silent event stream', () => {
  it.each(['GET', 'POST'])('of a %s is kept alive by comments between events', async (method) => {
    const { exchange, answer, received } = await openStream({}, method);
    await exchange.sendEvent({ data: 'one' });
    await expect.poll(received, { timeout: 10_000 }).toBe(`data: one\n\n${KEEP_ALIVE}`);
    await exchange.send('data: two\r\n\r\n');
    await expect
      .poll(received, { timeout: 10_000 })
      .toMatch(/data: two\r\n\r\n(: keep-alive\n\n)+$/);
    answer.abort();
  });

  it('gets no comment before its first event or within an event', async () => {
    const { exchange, answer, received } = await openStream();
    await delay(1_200);
    expect(received()).toBe('');
    await exchange.send('data: ha');
    await delay(1_200);
    expect(received()).toBe('data: ha');
    await exchange.send('lf\n');
    await delay(1_200);
    expect(received()).toBe('data: half\n');
    await exchange.send('\n');
    await expect.poll(received, { timeout: 10_000 }).toBe(`data: half\n\n${KEEP_ALIVE}`);
    answer.abort();
  });

  it('gets no comment when it is compressed', async () => {
    const { exchange, answer, received } = await openStream({ 'accept-encoding': 'gzip' });
    const zipped = gzipSync('data: one\n\n');
    await exchange.send(Buffer.concat([zipped, Buffer.from('\n\n')]));
    await delay(1_200);
    expect(received()).toHaveLength(zipped.length + 2);
    answer.abort();
  });
});

describe('a stream that the gateway cuts', () => {
  const replaceToken = () =>
    fixture.api('PATCH', `/integrations/${integrationId}`, { serverToken: crypto.randomUUID() });

  it.each([
    ['legacy', STATELESS],
    ['modern', MODERN],
  ] as const)('answers its request in JSON-RPC: %s', async (_era, headers) => {
    const { exchange, answer, received } = await openStream(headers);
    await exchange.sendEvent({ data: 'one' });
    await expect.poll(received).toContain('one');
    await replaceToken();
    await answer.text();
    const [, data = ''] =
      /^data: one\n\n(?:: keep-alive\n\n)*event: message\ndata: (.*)\n\n$/.exec(received()) ?? [];
    expect(JSON.parse(data)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -31002,
        message: expect.stringContaining('removed or replaced'),
        data: { code: 'forbidden', requestId: answer.headers['x-request-id'] },
      },
    });
  });

  it('ends without an error message when it is cut within an event', async () => {
    const { exchange, answer, received } = await openStream();
    await exchange.send('data: ha');
    await expect.poll(received).toContain('ha');
    await replaceToken();
    await answer.text();
    expect(received()).toBe('data: ha');
  });

  it('ends without an error message when no request awaits a response', async () => {
    const { exchange, answer, received } = await openStream({}, 'GET');
    await exchange.sendEvent({ data: 'one' });
    await expect.poll(received).toContain('one');
    await replaceToken();
    await answer.text();
    expect(received()).toMatch(/^data: one\n\n(: keep-alive\n\n)*$/);
  });
});

it('another form of the URL leads to the same session', async () => {
  const initializing = send(`${url}/mcp`);
  (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'upstream' });
  const { headers } = await initializing;
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  for (const form of [url, `${url}/`, `${url}/mcp/`]) {
    const calling = send(form, { headers: session });
    const exchange = await fixture.upstream.nextRequest();
    exchange.respondResult({});
    expect((await calling).status).toBe(200);
    expect(exchange.request.headers['mcp-session-id']).toBe('upstream');
    expect(exchange.request.target).toBe(new URL(fixture.upstream.url).pathname);
  }
});
