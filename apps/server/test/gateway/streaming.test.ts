import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, MODERN, STATELESS, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let url: string;

beforeAll(async () => {
  url = fixture.urlOf(await fixture.integrate());
});

describe('a stream through the gateway', () => {
  it('has its head before its first event, and each event before the next is sent', async () => {
    const answer = send(url, { method: 'GET', headers: STATELESS });
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    const { status, headers, received } = await answer;
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/event-stream');
    for (let count = 0; count < 5; count += 1) {
      await exchange.sendEvent({ data: `event ${count}` });
      expect(await received(`event ${count}`)).toContain(`event ${count}`);
    }
    exchange.end();
  });

  it('ends when the upstream ends it, without an error', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    await exchange.sendEvent({ id: '1', data: '' });
    exchange.end();
    expect(await (await answer).text()).toContain('id: 1');
  });

  it('is cut when the upstream closes the connection', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    await exchange.sendEvent({ data: 'first' });
    const { received, text } = await answer;
    await received('first');
    exchange.drop();
    await expect(text()).rejects.toThrow();
  });

  it('closes the upstream call when the client leaves, before the head and after it', async () => {
    const early = send(url, { headers: MODERN });
    early.catch(() => {});
    const unanswered = await fixture.upstream.nextRequest();
    unanswered.startSse();
    const stream = await early;
    stream.abort();
    expect(await unanswered.closed).toBe('aborted');

    const controller = new AbortController();
    const request = fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.server.owner}`,
        'content-type': 'application/json',
      },
      body: '{"id":1,"method":"x"}',
      signal: controller.signal,
    });
    request.catch(() => {});
    const waiting = await fixture.upstream.nextRequest();
    controller.abort();
    expect(await waiting.closed).toBe('aborted');
  });

  it('slows the upstream down while the client does not read', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.sendHead(200, { 'content-type': 'text/event-stream' });
    const total = 64 * 1024 * 1024;
    const streamed = exchange.stream(total);
    const { stream } = await answer;
    let previous = -1;
    for (let still = 0; still < 5; still += 1) {
      if (exchange.sentBytes !== previous) still = 0;
      previous = exchange.sentBytes;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(exchange.sentBytes).toBeLessThan(24 * 1024 * 1024);
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    expect(await streamed).toBe(total);
    exchange.end();
    await new Promise((resolve) => stream.on('end', resolve));
    expect(size).toBe(total);
  });

  it('begins while the body of its request is still arriving', async () => {
    const { hostname, port, pathname } = new URL(url);
    const { request } = await import('node:http');
    const req = request({
      hostname,
      port,
      path: pathname,
      method: 'POST',
      headers: {
        authorization: `Bearer ${fixture.server.owner}`,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      },
    });
    req.write('{"jsonrpc":');
    const response = new Promise<number>((resolve, reject) => {
      req.on('response', (res) => resolve(res.statusCode ?? 0));
      req.on('error', reject);
    });
    req.end('"2.0","id":1,"method":"x"}');
    (await fixture.upstream.nextRequest()).respondResult({});
    expect(await response).toBe(200);
  });
});
