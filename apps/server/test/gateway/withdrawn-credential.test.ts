import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, clientOf, MODERN, STATELESS, useFixture } from './fixture.ts';

const fixture = useFixture();

beforeAll(async () => {
  fixture.upstream.otherwise(({ respondResult }) => respondResult({}));
});

interface Waiting {
  readonly answering: Promise<Answer>;
  readonly startStream: () => Promise<void>;
  readonly upstreamClosed: Promise<'finished' | 'aborted'>;
}

type Headers = Record<string, string>;

/** A call that the upstream has not answered yet. */
async function wait(url: string, token: string, headers: Headers): Promise<Waiting> {
  const answering = clientOf(token)(url, { headers });
  const exchange = await fixture.upstream.nextRequest();
  const startStream = async () => {
    exchange.startSse();
    await exchange.sendEvent({ data: 'hello' });
  };
  return { answering, startStream, upstreamClosed: exchange.closed };
}

async function connectedMember() {
  const member = await fixture.server.addMember('member');
  const integrationId = await fixture.integrate({ authMode: 'user_token' });
  const path = `/integrations/${integrationId}/connection`;
  const connect = (token: string) => fixture.api('POST', path, { token }, member.token);
  await connect('first');
  const disconnect = () => fixture.api('DELETE', path, undefined, member.token);
  return { member, url: fixture.urlOf(integrationId), connect, disconnect };
}

const eras: [string, Headers][] = [
  ['without a version header', {}],
  ['of a stateless legacy client', STATELESS],
  ['of a modern client', MODERN],
];

describe.each(eras)('a call %s', (_name, headers) => {
  it('that waits is refused when its connection is deleted', async () => {
    const { member, url, disconnect } = await connectedMember();
    const { answering, upstreamClosed } = await wait(url, member.token, headers);
    await disconnect();
    expect((await answering).status).toBe(403);
    expect(await upstreamClosed).toBe('aborted');
  });

  it('is cut if it becomes a stream after its connection was replaced', async () => {
    const { member, url, connect } = await connectedMember();
    const { answering, startStream, upstreamClosed } = await wait(url, member.token, headers);
    await connect('second');
    await startStream();
    await (await answering).text();
    expect(await upstreamClosed).toBe('aborted');
  });

  it('still gets its response after its connection was replaced', async () => {
    const { member, url, connect } = await connectedMember();
    const answering = clientOf(member.token)(url, { headers });
    const exchange = await fixture.upstream.nextRequest();
    await connect('second');
    exchange.respondResult({ done: true });
    expect(await (await answering).text()).toContain('done');
  });

  it('that is a stream ends when the server token is replaced', async () => {
    const id = await fixture.integrate({ authMode: 'server_token', serverToken: 'first' });
    const waiting = await wait(fixture.urlOf(id), fixture.server.owner, headers);
    await waiting.startStream();
    const stream = await waiting.answering;
    await stream.received('hello');
    await fixture.api('PATCH', `/integrations/${id}`, { serverToken: 'second' });
    await stream.text();
    expect(await waiting.upstreamClosed).toBe('aborted');
  });
});

it('a stream stays when the server token is stored again, unchanged', async () => {
  const id = await fixture.integrate({ authMode: 'server_token', serverToken: 'first' });
  const waiting = await wait(fixture.urlOf(id), fixture.server.owner, MODERN);
  await waiting.startStream();
  const stream = await waiting.answering;
  await stream.received('hello');
  await fixture.api('PATCH', `/integrations/${id}`, { serverToken: 'first' });
  expect((await clientOf(fixture.server.owner)(fixture.urlOf(id))).status).toBe(200);
  expect(stream.stream.readableEnded).toBe(false);
  stream.abort();
});

describe('a token that expires', () => {
  it('also ends a call with a body that is still coming', async () => {
    const { server, urlOf, upstream } = fixture;
    const url = urlOf(await fixture.integrate());
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const token = { name: 'short', scopes: ['mcp'], expiresAt };
    const { secret } = (await server.call('POST', '/tokens', { body: token })).body;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
    const headers = { authorization: `Bearer ${secret}`, 'content-length': body.length };
    const req = request(url, { method: 'POST', agent: false, headers });
    req.write(body.slice(0, 10));
    const responding = once(req, 'response') as Promise<[IncomingMessage]>;
    await delay(Date.parse(expiresAt) - Date.now() + 10);
    const before = upstream.requests.length;
    req.end(body.slice(10));
    const [response] = await responding;
    expect(response.statusCode).toBe(401);
    expect(upstream.requests.length).toBe(before);
  });

  it('ends its streams in each era', async () => {
    const member = await fixture.server.addMember('member');
    const url = fixture.urlOf(await fixture.integrate());
    const expiresAt = new Date(Date.now() + 4_000).toISOString();
    const body = { name: 'short', scopes: ['mcp'], expiresAt };
    const { secret } = (await fixture.api('POST', '/tokens', body, member.token)).body;
    const streams: Waiting[] = [];
    for (const [, headers] of eras) {
      const waiting = await wait(url, secret, headers);
      await waiting.startStream();
      streams.push(waiting);
    }
    for (const { answering, upstreamClosed } of streams) {
      const stream = await answering;
      await stream.received('hello');
      await stream.text();
      expect(await upstreamClosed).toBe('aborted');
    }
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    for (const [, headers] of eras) {
      expect((await clientOf(secret)(url, { headers })).status).toBe(401);
    }
  });
});
