import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { KeptBytes } from '../../src/gateway/deferred-scan.ts';
import { use } from '../support/use.ts';
import { clientOf, listen, MODERN, startGateway, useFixture } from './fixture.ts';

const BODY = { method: 'tools/call', params: { text: 'x'.repeat(400_000) }, jsonrpc: '2.0', id: 1 };
const JSON_HEAD = { 'content-type': 'application/json' };
const STREAM_HEAD = { 'content-type': 'text/event-stream' };

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
const gateway = use(() => startGateway(fixture.server.store));
let respond: (res: ServerResponse) => unknown;
const upstream = use(() => listen((req, res) => void req.resume().on('end', () => respond(res))));
let url: string;
let kept: KeptBytes | undefined;

beforeAll(async () => {
  const fields = { authMode: 'server_token', serverToken: 'secret', url: upstream.origin };
  url = fixture.urlOf(await fixture.integrate(fields), gateway.origin);
});

beforeEach(() => {
  const { take } = KeptBytes.prototype;
  const spy = vi.spyOn(KeptBytes.prototype, 'take').mockImplementation(function (
    this: KeptBytes,
    ...args
  ) {
    kept = this;
    return take.apply(this, args);
  });
  return () => spy.mockRestore();
});

const call = () => send(url, { body: BODY, headers: MODERN });

it.each<[string, (res: ServerResponse) => unknown, number]>([
  ['relayed', (res) => res.writeHead(200, JSON_HEAD).end('{}'), 200],
  ['refused upstream', (res) => res.writeHead(400, JSON_HEAD).end('{}'), 400],
  ['refused for its credential', (res) => res.writeHead(401).end(), 200],
  ['redirected', (res) => res.writeHead(307, { location: '/' }).end(), 502],
  ['cut upstream', (res) => res.destroy(), 502],
])('the body of a call that is %s is not kept after its response', async (_, answer, status) => {
  respond = answer;
  const response = await call();
  expect(response.status).toBe(status);
  await response.text();
  expect(kept?.total).toBe(0);
});

it('the body of a call whose response is an event stream is not kept while that stays', async () => {
  let stream: ServerResponse | undefined;
  respond = (res) => {
    stream = res.writeHead(200, STREAM_HEAD);
    res.write('data: 1\n\n');
  };
  const response = await call();
  expect(kept?.total).toBe(0);
  stream?.end();
  await response.text();
});

it('the body of a call is kept until the response, and not after its client has left', async () => {
  let isRead = false;
  respond = () => (isRead = true);
  const client = new AbortController();
  const left = send(url, { body: BODY, headers: MODERN, signal: client.signal }).catch(
    () => 'left',
  );
  await expect.poll(() => isRead).toBe(true);
  expect(kept?.total).toBeGreaterThan(400_000);
  client.abort();
  expect(await left).toBe('left');
  await expect.poll(() => kept?.total).toBe(0);
});
