import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { use } from '../support/use.ts';
import { CALL, clientOf, listen, MODERN, startGateway, useFixture } from './fixture.ts';

const limits = { requestBytes: 6_000_000, bodySilence: 30_000, discardWithin: 30_000 };
const shortLimits = { bodySilence: 100, discardWithin: 100 };
const ID_LAST = { method: 'tools/call', params: '', jsonrpc: '2.0', id: 'last' };
const MIB = 1024 * 1024;
const MIB_OF_BODY = ' '.repeat(MIB);
const CHUNKED = { 'transfer-encoding': 'chunked', 'content-length': [] };

// Kept open, so that what is sent after an answer is read and not refused by a reset.
const agent = new Agent({ keepAlive: true });

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const gateway = use(() => startGateway(fixture.server.store, { limits }));
/** Gives up on silent peers soon. */
const hasty = use(() => startGateway(fixture.server.store, { limits: shortLimits }));
/** Takes almost nothing. */
const tight = use(() =>
  startGateway(fixture.server.store, { limits: { requestBytes: 1_000, wholeBodyBytes: 500 } }),
);
let refusedId: string;
let unconnectedId: string;
let refused: string;
let unconnected: string;
/** Answers every request with 401, once a test says so. */
const upstream = use(() => listen((req, res) => onCall(req, res)));
let onCall: (req: IncomingMessage, res: ServerResponse) => void;

beforeAll(async () => {
  const fields = { authMode: 'server_token', serverToken: 'stale', url: upstream.origin };
  refusedId = await fixture.integrate(fields);
  unconnectedId = await fixture.integrate({ authMode: 'user_token' });
  refused = fixture.urlOf(refusedId, gateway.origin);
  unconnected = fixture.urlOf(unconnectedId, gateway.origin);
});
afterAll(() => agent.destroy());

function refuse(res: ServerResponse): void {
  res.writeHead(401, { 'content-length': 0 }).end();
}

/** The upstream refuses once it has read the whole body. */
function refuseAtEnd(): void {
  onCall = (req, res) => req.resume().on('end', () => refuse(res));
}

/** The upstream refuses at once. Resolves when the gateway has hung up, as it has more to send. */
function refuseAtOnce(answer: (res: ServerResponse) => unknown = refuse): Promise<void> {
  return new Promise((resolve) => {
    onCall = (req, res) => {
      req.on('error', () => {});
      req.socket.once('close', () => resolve());
      answer(res);
    };
  });
}

/** A POST without a declared length, written piece by piece. */
function open(url: string): { req: ClientRequest; answer: Promise<Answered> } {
  const req = request(url, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${fixture.server.owner}`,
      'content-type': 'application/json',
    },
  });
  req.on('error', () => {});
  const answer = once(req, 'response').then(async ([res]) => {
    const chunks = await (res as IncomingMessage).toArray();
    return { status: res.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
  });
  return { req, answer };
}

interface Answered {
  readonly status: number;
  readonly body: { id?: unknown; code?: string; error?: { code: number } };
}

const answered = (id: unknown) => ({ status: 200, body: { id, error: { code: -31001 } } });

async function post(url: string, body: unknown, headers = {}): Promise<Answered> {
  const { status, text } = await send(url, { body, headers });
  return { status, body: JSON.parse(await text()) };
}

const forbidden = { status: 403, body: { code: 'forbidden' } };

describe('a refusal has the id of a request of up to 256 KiB', () => {
  const short = { ...ID_LAST, params: 'x"\\ '.repeat(30_000) };

  it.each([
    ['declared', short, {}],
    ['in chunks', short, CHUNKED],
  ])('last in a body that is %s', async (_name, body, headers) => {
    refuseAtEnd();
    expect(await post(refused, body, headers)).toMatchObject(answered('last'));
    expect(await post(unconnected, body, headers)).toMatchObject(answered('last'));
  });

  it('in a body of hundreds of small chunks', async () => {
    refuseAtEnd();
    const pieces = JSON.stringify({ ...ID_LAST, params: 'p'.repeat(400) }).match(/./g) ?? [];
    for (const url of [refused, unconnected]) {
      const { req, answer } = open(url);
      for (const piece of pieces) await new Promise((resolve) => req.write(piece, resolve));
      req.end();
      expect(await answer).toMatchObject(answered('last'));
    }
  });

  it('in the second of two chunks', async () => {
    for (const url of [refused, unconnected]) {
      const { req, answer } = open(url);
      const hasBegun = new Promise<void>((resolve) => {
        onCall = (up, res) => {
          up.once('data', () => resolve()).on('end', () => refuse(res));
        };
      });
      await new Promise((resolve) => req.write('{"jsonrpc":"2.0",', resolve));
      if (url === refused) await hasBegun;
      else await setImmediate();
      req.end('"id":7,"method":"x"}');
      expect(await answer).toMatchObject(answered(7));
    }
  });

  it('in every request of a batch', async () => {
    refuseAtEnd();
    const batch = [{ ...CALL, params: 'p'.repeat(50_000) }, { method: 'notifications/x' }, short];
    for (const headers of [{}, CHUNKED]) {
      for (const url of [refused, unconnected]) {
        const { status, body } = await post(url, batch, headers);
        expect(status).toBe(200);
        expect((body as unknown as { id: unknown }[]).map(({ id }) => id)).toEqual([1, 'last']);
      }
    }
  });
});

describe('a refusal is a problem document', () => {
  it.each([
    ['of a declared length', {}],
    ['in chunks', CHUNKED],
  ])('for a body of more than 256 KiB %s', async (_name, headers) => {
    refuseAtEnd();
    for (const url of [refused, unconnected]) {
      const response = await send(url, { body: { ...ID_LAST, id: 'x'.repeat(262_144) }, headers });
      expect(response.status).toBe(403);
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(await response.text())).toMatchObject({
        code: 'forbidden',
        detail: expect.stringMatching(/Connect to this integration|refused the credential/),
      });
    }
  });

  it.each([
    ['has refused', refuse],
    ['has begun to refuse', (res: ServerResponse) => res.writeHead(401).write('For')],
  ])('for a body that still comes when the upstream %s', async (_name, refusal) => {
    const hungUp = refuseAtOnce(refusal);
    const { req, answer } = open(refused);
    req.write('{"jsonrpc":"2.0","method":"x","params":"');
    await hungUp;
    req.end(`${'p'.repeat(1_000_000)}","id":9}`);
    expect(await answer).toMatchObject(forbidden);
  });
});

describe('the body of a refused call', () => {
  it('is not awaited while the client awaits the response', async () => {
    void refuseAtOnce();
    for (const id of [refusedId, unconnectedId]) {
      const { req, answer } = open(fixture.urlOf(id, hasty.origin));
      req.write('{"jsonrpc":"2.0","method":"x"');
      expect(await answer).toMatchObject(forbidden);
      req.destroy();
    }
  });

  it('is too large if its declared length is above the limit', async () => {
    const { req, answer } = open(unconnected);
    req.setHeader('content-length', limits.requestBytes + 1).flushHeaders();
    expect(await answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    req.destroy();
  });

  it.each([
    ['of a declared length', `Content-Length: ${40 * MIB}`, MIB_OF_BODY],
    ['in chunks', 'Transfer-Encoding: chunked', `${MIB.toString(16)}\r\n${MIB_OF_BODY}\r\n`],
  ])(
    'is too large %s, also for a proxy that reads nothing before it has sent all of it',
    async (_name, length, mebibyte) => {
      refuseAtEnd();
      const { hostname, port, host, pathname } = new URL(fixture.urlOf(refusedId));
      const socket = connect(Number(port), hostname).pause();
      onTestFinished(() => void socket.destroy());
      const authorization = `Authorization: Bearer ${fixture.server.owner}`;
      const head = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, authorization, length, '', ''];
      socket.write(head.join('\r\n'));
      for (let sent = 0; sent < 40; sent += 1) {
        if (!socket.write(mebibyte)) await once(socket, 'drain');
      }
      const answered = once(socket, 'data');
      socket.resume();
      const [answer] = await answered;
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    },
  );

  it('is refused like any other if one chunk of it is above every limit', async () => {
    const { req, answer } = open(fixture.urlOf(unconnectedId, tight.origin));
    req.setHeader('transfer-encoding', 'chunked');
    req.end(JSON.stringify({ ...ID_LAST, params: 'p'.repeat(20_000) }));
    expect(await answer).toMatchObject(forbidden);
  });

  it('is malformed if its messages are not JSON', async () => {
    refuseAtEnd();
    for (const url of [refused, unconnected]) {
      expect(await post(url, '{"id":1 "params":""}', CHUNKED)).toMatchObject({
        status: 400,
        body: { code: 'malformed_json' },
      });
    }
  });

  it('that is compressed gets a problem document, since its id is not read', async () => {
    refuseAtEnd();
    const headers = { 'content-encoding': 'gzip' };
    for (const url of [refused, unconnected]) {
      expect((await post(url, '\x1f\x8b', headers)).status).toBe(403);
      expect((await post(url, '\x1f\x8b', { ...headers, ...CHUNKED })).status).toBe(403);
    }
  });

  it('may be aborted by its client', async () => {
    const { req, answer } = open(unconnected);
    req.setHeader('mcp-protocol-version', MODERN['mcp-protocol-version']);
    const arrival = gateway.arrival();
    req.write('{"jsonrpc":"2.0","method":"x"');
    await arrival;
    req.destroy();
    await expect(answer).rejects.toThrow();
    const left =
      'gatehouse_gateway_calls_total{outcome="client_left",era="modern",status="none"} 1';
    await expect.poll(() => gateway.metrics.registry.metrics()).toContain(left);
  });
});

it('closes the connection to an upstream with a 401 that never ends', async () => {
  const closed = new Promise<void>((resolve) => {
    onCall = (req, res) => {
      req.resume();
      res.on('close', resolve);
      res.writeHead(401).write('Unauthorized');
    };
  });
  const { status } = await send(fixture.urlOf(refusedId, hasty.origin));
  expect(status).toBe(200);
  await closed;
});
