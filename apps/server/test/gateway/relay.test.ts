import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { CALL, clientOf, MODERN, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let url: string;

beforeAll(async () => {
  url = fixture.urlOf(
    await fixture.integrate({
      url: `${fixture.upstream.url}?tenant=a%20b`,
      authMode: 'server_token',
      serverToken: 'upstream-secret',
    }),
  );
});

describe('the relay', () => {
  it('passes a call and its answer on, byte for byte', async () => {
    const body = '{ "jsonrpc":"2.0", "id":12345678901234567890, "method":"x", "m":"\\u00e9é" }';
    const answer = send(url, { body });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.body.toString()).toBe(body);
    const bytes = '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"b":1,"a":"é"}}';
    exchange.respond({ headers: { 'Content-Type': 'application/json' }, body: bytes });
    const { status, text } = await answer;
    expect(status).toBe(200);
    expect(Buffer.from(await text(), 'latin1').toString()).toBe(bytes);
  });

  it.each(['/', '/mcp', '/mcp/', '/mcp?x=1'])(
    'is the same at a URL with %s at its end',
    async (end) => {
      const answer = send(url + end);
      const exchange = await fixture.upstream.nextRequest();
      expect(exchange.request.target).toBe('/mcp?tenant=a%20b');
      exchange.respondResult({});
      expect((await answer).status).toBe(200);
    },
  );

  it("calls the integration's URL with its own query, and not the client's", async () => {
    const answer = send(`${url}?tenant=other&token=1`);
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.target).toBe('/mcp?tenant=a%20b');
    exchange.respondResult({});
    await answer;
  });

  it('sends the credential and no header of the caller that is not listed', async () => {
    const answer = send(url, {
      headers: {
        ...MODERN,
        'mcp-name': 'echo',
        'mcp-param-region': 'eu',
        'mcp-session-id': 'made-up',
        'last-event-id': '7',
        cookie: 'session=1',
        'proxy-authorization': 'Basic eDp5',
        'x-api-key': 'key',
        'x-forwarded-for': '10.0.0.1',
        'x-real-ip': '10.0.0.1',
        forwarded: 'for=10.0.0.1',
        via: '1.1 proxy',
        te: 'trailers',
        'x-hop': '1',
        connection: 'keep-alive, X-Hop, Mcp-Param-Hop',
        'mcp-param-hop': 'gone',
        'user-agent': `test ${fixture.server.owner}`,
      },
    });
    const { request, respondResult } = await fixture.upstream.nextRequest();
    respondResult({});
    await answer;
    const host = new URL(fixture.upstream.url).host;
    expect(request.headers).toEqual({
      host,
      connection: 'keep-alive',
      authorization: 'Bearer upstream-secret',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': String(JSON.stringify(CALL).length),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-param-region': 'eu',
      'cdn-loop': expect.stringMatching(/^gatehouse-[0-9a-f]{16}$/),
      'last-event-id': '7',
    });
  });

  it.each([undefined, 'yes'])(
    'marks an event stream as not to be buffered, if the upstream says %s',
    async (said) => {
      const answer = send(url);
      const exchange = await fixture.upstream.nextRequest();
      const type = { 'Content-Type': 'Text/Event-Stream; charset=utf-8' };
      const body = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
      exchange.respond({
        headers: { ...type, ...(said !== undefined && { 'X-Accel-Buffering': said }) },
        body,
      });
      const { headers, text } = await answer;
      expect(headers['x-accel-buffering']).toBe('no');
      expect(await text()).toBe(body);
    },
  );

  it('passes content, MCP, cache and retry headers back, and nothing else of the upstream', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.respond({
      status: 429,
      headers: {
        'Content-Type': 'application/json',
        'Mcp-Protocol-Version': '2025-11-25',
        Allow: 'POST',
        'Retry-After': '3',
        'Cache-Control': 'no-cache',
        'X-Accel-Buffering': 'no',
        'Set-Cookie': 'a=b',
        'WWW-Authenticate': 'Bearer realm="upstream"',
        Location: 'https://elsewhere.example',
        Server: 'upstream/1',
        'Access-Control-Allow-Origin': '*',
        'Content-Security-Policy': 'default-src *',
        'X-Powered-By': 'upstream',
      },
      body: '{"slow":"down"}',
    });
    const { status, headers, text } = await answer;
    expect(status).toBe(429);
    expect(await text()).toBe('{"slow":"down"}');
    expect(headers).toEqual({
      'content-type': 'application/json',
      'content-length': '15',
      'mcp-protocol-version': '2025-11-25',
      'retry-after': '3',
      allow: 'POST',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-request-id': expect.any(String),
      date: expect.any(String),
      connection: 'close',
    });
  });

  it('passes compressed bytes with their encoding', async () => {
    const answer = send(url, { headers: { 'accept-encoding': 'gzip' } });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.headers['accept-encoding']).toBe('gzip');
    const zipped = gzipSync('{"jsonrpc":"2.0","id":1,"result":{}}');
    exchange.respond({ headers: { 'Content-Encoding': 'gzip' }, body: zipped });
    const { headers, text } = await answer;
    expect(headers['content-encoding']).toBe('gzip');
    expect(Buffer.from(await text(), 'latin1')).toEqual(zipped);
  });

  it('passes the bodies of errors, on which negotiation between the eras rests', async () => {
    const answer = send(url, { headers: MODERN });
    const exchange = await fixture.upstream.nextRequest();
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32022, message: 'unsupported' } };
    exchange.respond({ status: 400, body: error });
    const { status, text } = await answer;
    expect(status).toBe(400);
    expect(JSON.parse(await text())).toEqual(error);
  });

  it('does not follow a redirect, and says who can help', async () => {
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.respond({ status: 307, headers: { Location: fixture.upstream.url } });
    const { status, headers, text } = await answer;
    expect(status).toBe(502);
    expect(headers.location).toBeUndefined();
    expect(JSON.parse(await text())).toMatchObject({
      code: 'upstream_redirected',
      detail: expect.stringContaining('redirects are not followed (307)'),
    });
  });

  it('streams a chunked body up while it is being sent, and passes it as chunked', async () => {
    const large = JSON.stringify({ ...CALL, params: { text: 'x'.repeat(700_000) } });
    const answer = send(url, {
      body: large,
      headers: { 'transfer-encoding': 'chunked', 'content-length': [] },
    });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.headers['transfer-encoding']).toBe('chunked');
    expect(exchange.request.body.toString()).toBe(large);
    exchange.respondResult({});
    expect((await answer).status).toBe(200);
  });

  it('keeps the declared length of a large body', async () => {
    const large = JSON.stringify({ ...CALL, params: { text: 'x'.repeat(1_000_000) } });
    const answer = send(url, { body: large });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.headers['content-length']).toBe(String(large.length));
    expect(exchange.request.body.toString()).toBe(large);
    exchange.respondResult({ text: 'y'.repeat(1_000_000) });
    expect(JSON.parse(await (await answer).text()).result.text).toHaveLength(1_000_000);
  });

  it('keeps the connection to the upstream for the next call', async () => {
    await call();
    const before = fixture.upstream.acceptedConnections;
    for (let count = 0; count < 5; count += 1) await call();
    expect(fixture.upstream.acceptedConnections).toBe(before);
  });
});

async function call(): Promise<void> {
  const answer = send(url);
  (await fixture.upstream.nextRequest()).respondResult({});
  await (await answer).text();
}
