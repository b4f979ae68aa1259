import { beforeAll, describe, expect, it } from 'vitest';
import { CALL, clientOf, MODERN, STATELESS, useFixture } from './fixture.ts';

const SECRET = 'users-upstream-token';
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="upstream"' };

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let integrationId: string;
let url: string;

beforeAll(async () => {
  integrationId = await fixture.integrate({ authMode: 'user_token' });
  url = fixture.urlOf(integrationId);
});

const connect = () =>
  fixture.api('POST', `/integrations/${integrationId}/connection`, { token: SECRET });

describe('without a usable credential', () => {
  it('a request is answered in JSON-RPC, with its own id to the last digit', async () => {
    const before = fixture.upstream.requests.length;
    const { status, headers, text } = await send(url, {
      body: '{"jsonrpc":"2.0","method":"tools/call","id":12345678901234567890}',
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    const body = await text();
    expect(body).toContain('"id":12345678901234567890,');
    expect(JSON.parse(body).error).toEqual({
      code: -31001,
      message: expect.stringMatching(/^Connect to this integration first/),
      data: {
        code: 'connection_required',
        integrationId,
        reason: 'connection_required',
        connectUrl: `${fixture.server.origin}/connect?integration=${integrationId}`,
      },
    });
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it('each request of a batch is answered', async () => {
    const { text } = await send(url, {
      body: [CALL, { jsonrpc: '2.0', method: 'notifications/x' }, { ...CALL, id: 'b' }],
    });
    const answers = JSON.parse(await text());
    expect(answers.map(({ id }: { id: unknown }) => id)).toEqual([1, 'b']);
  });

  it.each([
    ['a response', { body: { jsonrpc: '2.0', id: 1, result: {} } }, 403],
    ['GET', { method: 'GET', headers: STATELESS }, 403],
    ['DELETE', { method: 'DELETE' }, 403],
    ['GET of MCP 2026-07-28', { method: 'GET', headers: MODERN }, 405],
    ['DELETE of MCP 2026-07-28', { method: 'DELETE', headers: MODERN }, 405],
  ])('%s is answered with a problem', async (_name, options, expected) => {
    const { status, headers } = await send(url, options);
    expect(status).toBe(expected);
    expect(headers['content-type']).toBe('application/problem+json');
  });

  it('a body that is no JSON is refused in JSON-RPC, and asks nobody to connect', async () => {
    const { status, text } = await send(url, { body: '{"id":1' });
    expect(status).toBe(400);
    expect(JSON.parse(await text())).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('an integration that an administrator must finish says so', async () => {
    const id = await fixture.integrate({ authMode: 'oauth' });
    await fixture.api('DELETE', `/integrations/${id}/oauth`);
    const { text } = await send(fixture.urlOf(id));
    const { message, data } = JSON.parse(await text()).error;
    expect(data.code).toBe('connection_required');
    expect(message).toMatch(/administrator/);
  });
});

describe('with a connection', () => {
  it('the credential goes up and the token of the caller does not', async () => {
    await connect();
    const answer = send(url);
    const { request, respondResult } = await fixture.upstream.nextRequest();
    expect(request.headers.authorization).toBe(`Bearer ${SECRET}`);
    respondResult({});
    expect((await answer).status).toBe(200);
    expect(fixture.upstream.hasReceived(fixture.server.owner)).toBe(false);
  });

  it("an upstream's 401 becomes a JSON-RPC error and is not relayed", async () => {
    await connect();
    fixture.upstream.refuse(1);
    const { status, rawHeaders, text } = await send(url, { body: { ...CALL, id: 'x' } });
    expect(status).toBe(200);
    const body = await text();
    expect(JSON.parse(body)).toMatchObject({
      id: 'x',
      error: { code: -31001, data: { code: 'credential_rejected', integrationId } },
    });
    expect(rawHeaders.join()).not.toMatch(/www-authenticate/i);
    expect(body + rawHeaders.join()).not.toContain(SECRET);
  });

  it('a refused GET or notification is a problem, never a 401 of ours', async () => {
    await connect();
    fixture.upstream.refuse(2);
    const get = await send(url, { method: 'GET', headers: STATELESS });
    const notification = await send(url, { body: { jsonrpc: '2.0', method: 'notifications/x' } });
    expect([get.status, notification.status]).toEqual([403, 403]);
    expect(get.headers['www-authenticate']).toBeUndefined();
  });

  it('the 403 of an upstream passes, without its challenge', async () => {
    await connect();
    const answer = send(url);
    const exchange = await fixture.upstream.nextRequest();
    exchange.respond({ status: 403, headers: CHALLENGE, body: { error: 'insufficient_scope' } });
    const { status, headers, text } = await answer;
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toBeUndefined();
    expect(JSON.parse(await text())).toEqual({ error: 'insufficient_scope' });
  });

  it('keeps the upstream connection after a refusal', async () => {
    await connect();
    fixture.upstream.refuse(1);
    await (await send(url)).text();
    const before = fixture.upstream.acceptedConnections;
    const answer = send(url);
    (await fixture.upstream.nextRequest()).respondResult({});
    await answer;
    expect(fixture.upstream.acceptedConnections).toBe(before);
  });
});

it('two people share no connection to an upstream, also where they share the server token', async () => {
  const shared = await fixture.integrate({ authMode: 'server_token', serverToken: 'shared' });
  const { token } = await fixture.server.addMember('member');
  const before = fixture.upstream.acceptedConnections;
  for (const person of [fixture.server.owner, token]) {
    const answer = send(fixture.urlOf(shared), { token: person });
    (await fixture.upstream.nextRequest()).respondResult({});
    await (await answer).text();
  }
  expect(fixture.upstream.acceptedConnections).toBe(before + 2);
});

describe('a new credential', () => {
  const sentTo = async (target: string) => {
    const answer = send(target);
    const { request, respondResult } = await fixture.upstream.nextRequest();
    respondResult({});
    await answer;
    return request.headers.authorization;
  };

  it('of a user is the one that goes upstream from then on', async () => {
    await connect();
    expect(await sentTo(url)).toBe(`Bearer ${SECRET}`);
    const body = { token: 'another-upstream-token' };
    await fixture.api('POST', `/integrations/${integrationId}/connection`, body);
    expect(await sentTo(url)).toBe('Bearer another-upstream-token');
  });

  it('of the organization is the one that goes upstream from then on', async () => {
    const shared = await fixture.integrate({ authMode: 'server_token', serverToken: 'first' });
    expect(await sentTo(fixture.urlOf(shared))).toBe('Bearer first');
    await fixture.api('PATCH', `/integrations/${shared}`, { serverToken: 'second' });
    expect(await sentTo(fixture.urlOf(shared))).toBe('Bearer second');
  });
});
