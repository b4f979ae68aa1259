import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf, MODERN, type SendOptions, startGateway, useFixture } from './fixture.ts';

const INITIALIZE = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let integrationId: string;
let url: string;

beforeEach(async () => {
  integrationId = await fixture.integrate();
  url = fixture.urlOf(integrationId);
});

async function call(options: SendOptions = { headers: MODERN }, target = url) {
  const answer = send(target, options);
  (await fixture.upstream.nextRequest()).respondResult({});
  const { status, text } = await answer;
  await text();
  return status;
}

/** Revokes the newest modern session of the integration. */
async function revoke(): Promise<string> {
  const path = `/applications/${fixture.applicationId}/sessions`;
  const { body } = await fixture.api('GET', path);
  const session = body.items.find(
    (item: { integrationId: string; era: string }) =>
      item.integrationId === integrationId && item.era === 'modern',
  );
  await fixture.api('DELETE', `${path}/${session.id}`);
  return session.id;
}

/** Whether the call was refused without sending anything upstream. */
async function isRefused(options: SendOptions = { headers: MODERN }): Promise<boolean> {
  const before = fixture.upstream.requests.length;
  const { status, headers, text } = await send(url, options);
  const { code } = JSON.parse(await text());
  expect({ status, code }).toEqual({ status: 403, code: 'forbidden' });
  expect(headers['content-type']).toBe('application/problem+json');
  // A new authorization would not help, so the response does not suggest it.
  expect(headers['www-authenticate']).toBeUndefined();
  expect(Number(headers['retry-after'])).toBeGreaterThan(29 * 60);
  return fixture.upstream.requests.length === before;
}

describe('after its modern session was revoked a token', () => {
  it.each<[string, SendOptions]>([
    ['a modern call', { headers: MODERN }],
    ['a probe for the era', { headers: { ...MODERN, 'mcp-method': 'server/discover' } }],
    ['initialize', { body: INITIALIZE }],
    ['initialize with a version', { headers: { 'mcp-protocol-version': '2025-11-25' } }],
    ['a call without a session', { headers: {} }],
  ])('is refused before anything goes up: %s', async (_name, options) => {
    await call();
    await revoke();
    expect(await isRefused(options)).toBe(true);
    expect(await isRefused(options)).toBe(true);
  });

  it('is refused also where it called a stateless legacy upstream', async () => {
    await call({ headers: {} });
    await revoke();
    expect(await isRefused({ headers: {} })).toBe(true);
  });

  it('is refused also after all sessions of the integration were ended', async () => {
    await call();
    await fixture.api('POST', '/sessions/end', { filter: { integrationId } });
    expect(await isRefused()).toBe(true);
  });

  it('is accepted elsewhere, and other tokens are accepted here', async () => {
    await call();
    await revoke();
    expect(await call({ headers: MODERN }, fixture.urlOf(await fixture.integrate()))).toBe(200);
    const { body } = await fixture.api('POST', '/tokens', { name: 'second', scopes: ['mcp'] });
    expect(await call({ headers: MODERN, token: body.secret })).toBe(200);
  });

  it('continues in its own legacy session', async () => {
    const initialized = send(url, { body: INITIALIZE });
    (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'upstream' });
    const id = String((await initialized).headers['mcp-session-id']);
    await call();
    await revoke();
    expect(await isRefused()).toBe(true);
    expect(await call({ headers: { 'mcp-session-id': id } })).toBe(200);
  });

  it('begins another session when the time is over', async () => {
    await call();
    const id = await revoke();
    expect(await isRefused()).toBe(true);
    await fixture.server.store.db.session.update({
      where: { id },
      data: { refusedUntil: new Date() },
    });
    expect(await call()).toBe(200);
    expect(await call()).toBe(200);
  });

  it('begins another session after attaching again', async () => {
    await call();
    await revoke();
    const path = `/applications/${fixture.applicationId}/integrations/${integrationId}`;
    await fixture.api('DELETE', path);
    await fixture.api('POST', path);
    expect(await call()).toBe(200);
  });

  it('does not get the response to a call that had gone upstream', async () => {
    await call();
    const modern = send(url, { headers: MODERN });
    await fixture.upstream.nextRequest();
    const initializing = send(url, { body: INITIALIZE });
    await fixture.upstream.nextRequest();
    await revoke();
    expect((await modern).status).toBe(403);
    expect((await initializing).status).toBe(403);
  });

  it.each<[string, SendOptions]>([
    ['its first call', { headers: MODERN }],
    ['initialize', { body: INITIALIZE }],
  ])('does not get a response from a node that learns of it later: %s', async (_name, options) => {
    await call();
    const other = await startGateway(fixture.server.store);
    const answer = send(fixture.urlOf(integrationId, other.origin), options);
    const exchange = await fixture.upstream.nextRequest();
    await fixture.server.store.db.session.updateMany({
      where: { integrationId },
      data: { state: 'revoked', refusedUntil: new Date(Date.now() + 60_000) },
    });
    exchange.respondResult({}, { 'Mcp-Session-Id': 'upstream' });
    expect((await answer).status).toBe(403);
    await other.close();
  });
});

it.each([
  [
    'archived and restored',
    async (path: string) => {
      await fixture.api('DELETE', path);
      await fixture.api('POST', `${path}/restore`);
    },
  ],
  [
    'moved',
    async (path: string) => {
      const moved = fixture.upstream.url.replace('127.0.0.1', 'localhost');
      await fixture.api('PATCH', path, { url: moved });
    },
  ],
])('a token begins another session after the integration was %s', async (_name, act) => {
  await call();
  await act(`/integrations/${integrationId}`);
  expect(await call()).toBe(200);
});

it('calls that the upstream keeps refusing look into the database once', async () => {
  const refusedUpstream = async () => {
    const answer = send(url, { headers: MODERN });
    (await fixture.upstream.nextRequest()).respond({ status: 400, body: {} });
    expect((await answer).status).toBe(400);
  };
  await refusedUpstream();
  fixture.server.store.statements();
  await refusedUpstream();
  const made = fixture.server.store.statements().filter((sql) => /FROM "Session"/.test(sql));
  expect(made).toEqual([]);
});
