import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { attachNodeErrors } from '../../src/http/node-errors.ts';
import { createHttpServer } from '../../src/http-server.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let host: string;
beforeAll(async () => {
  host = new URL(server.origin).host;
});

/** Sends bytes as they are and gives back everything until the connection ends. */
async function raw(origin: string, text: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  // A reset may follow the answer, since not all that was sent was read.
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return answer;
}

/** Writes in parts and reads nothing before, as most clients do. A reset meanwhile loses the answer. */
async function writeThenRead(origin: string, text: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const closed = once(socket, 'close');
  const half = text.length / 2;
  for (const part of [text.slice(0, half), text.slice(half), '']) {
    await new Promise<void>((resolve) => socket.write(part, () => resolve()));
    await delay(20);
  }
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  await closed;
  return answer;
}

function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line) => line.split(/: (.*)/s).slice(0, 2)) as [string, string][],
  );
  return { status, headers, body: body === '' ? undefined : JSON.parse(body) };
}

const request = (line: string, ...headers: string[]) =>
  `${[line, `Host: ${host}`, ...headers].join('\r\n')}\r\n\r\n`;
const upload = (...headers: string[]) =>
  request(
    'POST /api/v1/integrations HTTP/1.1',
    `Authorization: Bearer ${server.owner}`,
    'Content-Type: application/json',
    ...headers,
  );

describe('what Node refuses by itself', () => {
  it.each([
    ['bytes that are no HTTP', () => 'nonsense\r\n\r\n', '/'],
    ['a header without a name', () => request('GET /healthz HTTP/1.1', ': x'), '/'],
    [
      'a chunk without a length',
      () => `${upload('Transfer-Encoding: chunked')}zz\r\n`,
      '/api/v1/integrations',
    ],
    ['an expectation', () => request('GET /api/v1/me?a=b HTTP/1.1', 'Expect: foo'), '/api/v1/me'],
    [
      'an expectation of the gateway',
      () => request('POST /mcp HTTP/1.1', 'Expect: foo', 'Content-Length: 2'),
      '/mcp',
    ],
    [
      'a request without Host',
      () => 'GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n',
      '/api/v1/me',
    ],
  ])('is a problem document: %s', async (_what, text, instance) => {
    const { status, headers, body } = parse(await raw(server.origin, text()));
    expect(status).toBe('HTTP/1.1 400 Bad Request');
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(body).toEqual({
      type: 'urn:gatehouse:problem:validation_failed',
      title: expect.any(String),
      status: 400,
      detail: expect.any(String),
      instance,
      code: 'validation_failed',
      requestId: headers.get('x-request-id'),
    });
  });

  it.each([
    ['one long header', () => [`A: ${'x'.repeat(70_000)}`]],
    [
      'a thousand headers',
      () => Array.from({ length: 1_000 }, (_, i) => `X-Header-${i}: ${i}${'x'.repeat(900)}`),
    ],
  ])('is 431 for %s, and arrives before the connection ends', async (_what, headers) => {
    const answer = parse(
      await writeThenRead(server.origin, request('GET /healthz HTTP/1.1', ...headers())),
    );
    expect(answer.status).toBe('HTTP/1.1 431 Request Header Fields Too Large');
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({ status: 431, code: 'headers_too_large' });
  });

  it('keeps the id that the caller gave the request', async () => {
    for (const text of [
      `${upload('Transfer-Encoding: chunked', 'X-Request-Id: abc.1')}zz\r\n`,
      request('GET /healthz HTTP/1.1', 'Expect: foo', 'X-Request-Id: abc.1'),
    ]) {
      const { headers, body } = parse(await raw(server.origin, text));
      expect([headers.get('x-request-id'), body.requestId]).toEqual(['abc.1', 'abc.1']);
    }
  });

  it('has no body in answer to HEAD', async () => {
    const answer = await raw(server.origin, request('HEAD /healthz HTTP/1.1', 'Expect: foo'));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer.split('\r\n\r\n')).toEqual([expect.any(String), '']);
  });

  it('lets 100-continue pass', async () => {
    const text = `${upload('Expect: 100-continue', 'Content-Length: 2', 'Connection: close')}{}`;
    expect(await raw(server.origin, text)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /);
  });
});

it('holds for the listening socket of the process', async () => {
  const listening = createHttpServer((req, res) => res.end(`host: ${req.headers.host}`));
  const origin = `http://127.0.0.1:${await listening.listen(0, '127.0.0.1')}`;
  const malformed = parse(await raw(origin, 'nonsense\r\n\r\n'));
  expect(malformed.body).toMatchObject({ code: 'validation_failed' });
  const text = 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n';
  expect(await raw(origin, text)).toContain('host: undefined');
  listening.cut();
  await listening.drain();
});

describe('a response under way', () => {
  it.each<[string, RequestListener, string]>([
    [
      'that has begun',
      (_req, res) => void res.writeHead(200).write('begun'),
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['to a request that is complete', () => undefined, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s is broken off, and no other is written into it', async (_what, listener, head) => {
    const plain = createServer();
    attachNodeErrors(plain);
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    plain.on('request', (req, res) => {
      listener(req, res);
      socket.write('zz\r\n\r\n');
    });
    socket.write(head);
    await once(socket, 'close');
    expect(answer).not.toContain('Bad Request');
    plain.closeAllConnections();
    plain.close();
  });
});
