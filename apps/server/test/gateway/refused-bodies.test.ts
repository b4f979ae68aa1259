import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { use } from '../support/use.ts';
import { CALL, clientOf, listen, MODERN, startGateway, useFixture } from './fixture.ts';

const limits = { requestBytes: 6_000_000, bodySilence: 30_000, discardWithin: 30_000 };
const shortLimits = { bodySilence: 100, discardWithin: 100 };
const PARAMS = { text: 'x"\\ '.repeat(60_000) };
const ID_LAST = { method: 'tools/call', params: PARAMS, jsonrpc: '2.0', id: 'last' };
const CHUNKED = { 'transfer-encoding': 'chunked', 'content-length': [] };

// Kept open, so that what is sent after an answer is read and not refused by a reset.
const agent = new Agent({ keepAlive: true });

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const gateway = use(() => startGateway(fixture.server.store, { limits }));
/** Gives up on silent peers soon. */
const hasty = use(() => startGateway(fixture.server.store, { limits: shortLimits }));
let refusedId: string;
let unconnectedId: string;
let refused: string;
let unconnected: string;
/** Answers 401 to whatever comes, when told to. */
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

describe('the id of a rejected request is found wherever it is in the body', () => {
  it.each([
    ['300 KB', ID_LAST, {}],
    ['20 KB in chunks', { ...ID_LAST, params: PARAMS.text.slice(0, 20_000) }, CHUNKED],
    ['5 MB', { ...ID_LAST, params: PARAMS.text.repeat(15) }, {}],
  ])('last in %s', async (_name, body, headers) => {
    refuseAtEnd();
    expect(await post(refused, body, headers)).toMatchObject(answered('last'));
    expect(await post(unconnected, body, headers)).toMatchObject(answered('last'));
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

  it('in every request of a long batch', async () => {
    refuseAtEnd();
    const batch = [{ ...CALL, params: PARAMS }, { method: 'notifications/x' }, ID_LAST];
    for (const url of [refused, unconnected]) {
      const { status, body } = await post(url, batch);
      expect(status).toBe(200);
      expect((body as unknown as { id: unknown }[]).map(({ id }) => id)).toEqual([1, 'last']);
    }
  });

  it.each([
    ['has refused', refuse],
    ['has begun to refuse', (res: ServerResponse) => res.writeHead(401).write('For')],
  ])('in what comes after the upstream %s', async (_name, refusal) => {
    const hungUp = refuseAtOnce(refusal);
    const { req, answer } = open(refused);
    req.write('{"jsonrpc":"2.0","method":"x","params":"');
    await hungUp;
    req.write('p'.repeat(1_000_000));
    req.end('","id":9}');
    expect(await answer).toMatchObject(answered(9));
  });
});

describe('a rejected body', () => {
  it('need not be sent to its end once its id is known', async () => {
    void refuseAtOnce();
    for (const url of [refused, unconnected]) {
      const { req, answer } = open(url);
      req.write('{"jsonrpc":"2.0","id":3,"method":"x","params":{');
      expect(await answer).toMatchObject(answered(3));
      req.destroy();
    }
  });

  it('is not awaited while the client awaits the response', async () => {
    void refuseAtOnce();
    for (const id of [refusedId, unconnectedId]) {
      const { req, answer } = open(fixture.urlOf(id, hasty.origin));
      req.write('{"jsonrpc":"2.0","method":"x"');
      expect(await answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      req.destroy();
    }
  });

  it('is too large above the limit, declared or not, rejected before or not', async () => {
    const tooLarge = { status: 413, body: { code: 'payload_too_large' } };
    const declared = open(unconnected);
    declared.req.setHeader('content-length', limits.requestBytes + 1).flushHeaders();
    expect(await declared.answer).toMatchObject(tooLarge);
    declared.req.destroy();
    const params = 'p'.repeat(limits.requestBytes);
    const undeclared = open(unconnected);
    undeclared.req.end(JSON.stringify({ ...ID_LAST, params }));
    expect(await undeclared.answer).toMatchObject(tooLarge);
    const hungUp = refuseAtOnce();
    const { req, answer } = open(refused);
    req.write('{"jsonrpc":"2.0","method":"x","params":"');
    await hungUp;
    req.end(params);
    expect(await answer).toMatchObject(tooLarge);
  });

  it('is malformed if its messages are not JSON', async () => {
    refuseAtEnd();
    for (const url of [refused, unconnected]) {
      expect(await post(url, `{"id":1 "params":"${PARAMS.text}"}`, CHUNKED)).toMatchObject({
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
    const hungUp = refuseAtOnce();
    const { req, answer } = open(refused);
    req.setHeader('mcp-protocol-version', MODERN['mcp-protocol-version']);
    req.write('{"jsonrpc":"2.0","method":"x"');
    await hungUp;
    req.destroy();
    await expect(answer).rejects.toThrow();
    const left =
      'gatehouse_gateway_calls_total{outcome="client_left",era="modern",status="none"} 1';
    await expect.poll(() => gateway.metrics.registry.metrics()).toContain(left);
  });
});

it('closes the connection to an upstream whose 401 never ends', async () => {
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
