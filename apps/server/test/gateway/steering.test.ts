import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Exchange } from '@gatehouse/testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, clientOf, listen, STATELESS, useFixture } from './fixture.ts';

/** Where an upstream would like its client to send the next request, with the caller's token. */
const OTHER_DOOR = '/api/v1/applications/0190a5c0-0000-7000-8000-00000000000a/rotate-secret';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let url: string;

beforeAll(async () => {
  url = fixture.urlOf(await fixture.integrate());
});

async function codeOf(answer: Answer): Promise<string> {
  return JSON.parse(await answer.text()).code;
}

async function openSession(): Promise<Record<string, string>> {
  const initialized = send(url);
  (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'upstream' });
  return { 'mcp-session-id': String((await initialized).headers['mcp-session-id']) };
}

/** What the client of a GET stream receives of it before the connection is lost. */
async function receivedOf(
  headers: Record<string, string>,
  script: (exchange: Exchange) => Promise<void>,
): Promise<string> {
  const answering = send(url, { method: 'GET', headers });
  const exchange = await fixture.upstream.nextRequest();
  exchange.startSse();
  const answer = await answering;
  let received = '';
  answer.stream.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  await script(exchange);
  await expect(answer.text()).rejects.toThrow();
  expect(await exchange.closed).toBe('aborted');
  return received;
}

describe('a GET outside a session', () => {
  it('gets 405 without reaching the upstream, as where there is no stream', async () => {
    const before = fixture.upstream.requests.length;
    const answer = await send(url, { method: 'GET', headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST, DELETE, OPTIONS');
    expect(await codeOf(answer)).toBe('method_not_allowed');
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it('needs a token first, so that a client may find out how to get one', async () => {
    expect((await send(url, { method: 'GET', token: null })).status).toBe(401);
  });
});

describe('an endpoint event of an upstream', () => {
  it.each(['in a session', 'without one'])('never reaches the client of a GET %s', async (kind) => {
    const headers = kind === 'in a session' ? await openSession() : STATELESS;
    const received = await receivedOf(headers, async (exchange) => {
      await exchange.sendEvent({ data: 'hello' });
      await exchange.sendEvent({ event: 'endpoint', data: OTHER_DOOR });
    });
    expect(received).not.toContain('endpoint');
    expect(received).not.toContain(OTHER_DOOR);
  });

  it('is not completed either when it comes in pieces, with its address first', async () => {
    const received = await receivedOf(STATELESS, async (exchange) => {
      for (const piece of [`data: ${OTHER_DOOR}\r`, '\nevent', ': end', 'point\n\n']) {
        await exchange.send(piece);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    expect(received).not.toContain('point');
    expect(received).not.toContain('\n\n');
  });

  it.each([
    ['compressed', { 'Content-Encoding': 'gzip' }],
    ['in another charset', { 'Content-Type': 'text/event-stream; charset=utf-7' }],
    ['as another type', { 'Content-Type': 'text/event-streams' }],
    ['as no type', { 'Content-Type': [] }],
  ])('does not pass hidden in a response that is sent %s', async (_name, headers) => {
    const answering = send(url, {
      method: 'GET',
      headers: { ...STATELESS, 'accept-encoding': 'gzip' },
    });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.headers['accept-encoding']).toBe('identity');
    exchange.sendHead(200, { 'Content-Type': 'text/event-stream', ...headers });
    void exchange.send(gzipSync(`event: endpoint\ndata: ${OTHER_DOOR}\n\n`));
    const answer = await answering;
    expect(answer.status).toBe(405);
    expect(await codeOf(answer)).toBe('method_not_allowed');
  });
});

describe('the head of a response', () => {
  const STEERING = {
    Location: OTHER_DOOR,
    'Content-Location': OTHER_DOOR,
    Link: `<${OTHER_DOOR}>; rel="preload"`,
    Refresh: `0; url=${OTHER_DOOR}`,
    'Alt-Svc': 'h2=":1"',
    'Set-Cookie': `a=b; Path=${OTHER_DOOR}`,
    'WWW-Authenticate': `Bearer resource_metadata="${OTHER_DOOR}"`,
    'Access-Control-Allow-Origin': '*',
    'Clear-Site-Data': '"*"',
    'Service-Worker-Allowed': '/',
    'Report-To': OTHER_DOOR,
    'Mcp-Session-Id': OTHER_DOOR,
  };

  it.each([200, 201, 202, 403, 404, 426])(
    'leads the client nowhere else, whatever the upstream puts there: %i',
    async (status) => {
      const answering = send(url, { headers: STATELESS });
      (await fixture.upstream.nextRequest()).respond({ status, headers: STEERING, body: '{}' });
      const { rawHeaders } = await answering;
      expect(rawHeaders.join('\n')).not.toContain('rotate-secret');
      expect(rawHeaders.join('\n')).not.toMatch(/alt-svc|clear-site|service-worker/i);
    },
  );

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'of a redirect does not pass: %i',
    async (status) => {
      const answering = send(url);
      (await fixture.upstream.nextRequest()).respond({ status, headers: STEERING });
      const answer = await answering;
      expect(answer.status).toBe(502);
      expect(answer.rawHeaders.join('\n')).not.toContain('rotate-secret');
    },
  );

  it('passes no early hints and no trailers', async () => {
    const upstream = await listen((_req, res) => {
      res.writeEarlyHints({ link: `<${OTHER_DOOR}>; rel=preload` });
      res.writeHead(200, { 'Content-Type': 'application/json', Trailer: 'Location' });
      res.write('{}');
      res.addTrailers({ Location: OTHER_DOOR });
      res.end();
    });
    onTestFinished(upstream.close);
    const { hostname, port, pathname } = new URL(
      fixture.urlOf(await fixture.integrate({ url: upstream.origin })),
    );
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${fixture.server.owner}\r\n` +
        'TE: trailers\r\nConnection: close, TE\r\nContent-Length: 2\r\n\r\n{}',
    );
    const received = await text(socket);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).not.toContain('rotate-secret');
  });
});
