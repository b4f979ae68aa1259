import { beforeEach, describe, expect, it } from 'vitest';
import { useStoppedClock } from '../support/clock.ts';
import { clientOf, MODERN, startGateway, useFixture } from './fixture.ts';

const INITIALIZE = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
const UPSTREAM_ID = 'upstream-session-id';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);
let integrationId: string;
let url: string;

beforeEach(async () => {
  integrationId = await fixture.integrate();
  url = fixture.urlOf(integrationId);
});

/** Opens a legacy session; the id the client got. */
async function initialize(id = UPSTREAM_ID, target = url): Promise<string> {
  const answer = send(target, { body: INITIALIZE });
  const exchange = await fixture.upstream.nextRequest();
  exchange.respondResult({}, { 'Mcp-Session-Id': id });
  const { status, headers } = await answer;
  expect(status).toBe(200);
  return String(headers['mcp-session-id']);
}

const inSession = (id: string) => ({ 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' });

async function sessions() {
  const { body } = await fixture.api('GET', `/applications/${fixture.applicationId}/sessions`);
  return body.items.filter(
    (item: { integrationId: string }) => item.integrationId === integrationId,
  );
}

describe('a legacy session', () => {
  it('has an id of ours, and the upstream only ever sees its own', async () => {
    const id = await initialize();
    expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const answer = send(url, { headers: inSession(id) });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.headers['mcp-session-id']).toBe(UPSTREAM_ID);
    exchange.respondResult({}, { 'Mcp-Session-Id': UPSTREAM_ID });
    const { rawHeaders } = await answer;
    expect(rawHeaders).toContain(id);
    expect(rawHeaders).not.toContain(UPSTREAM_ID);
    expect(fixture.upstream.hasReceived(id)).toBe(false);
    expect(await sessions()).toMatchObject([{ era: 'legacy', state: 'open' }]);
  });

  it('is stored as a hash and sealed', async () => {
    const id = await initialize();
    const row = await fixture.server.store.db.session.findFirstOrThrow({
      where: { integrationId },
    });
    const stored = Buffer.from(row.sealed ?? []).toString('latin1');
    expect(stored).not.toContain(UPSTREAM_ID);
    expect(JSON.stringify(row)).not.toContain(id);
    expect(row.hash).toHaveLength(32);
  });

  it('is not opened by an upstream that refuses, nor for a modern client', async () => {
    const refused = send(url, { body: INITIALIZE });
    const exchange = await fixture.upstream.nextRequest();
    exchange.respond({ status: 400, headers: { 'Mcp-Session-Id': 'x' }, body: {} });
    expect((await refused).headers['mcp-session-id']).toBeUndefined();
    const modern = send(url, { headers: MODERN });
    (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': 'x' });
    expect((await modern).headers['mcp-session-id']).toBeUndefined();
    expect(await sessions()).toMatchObject([{ era: 'modern' }]);
  });

  it('is opened again by a client that still says which version it negotiated', async () => {
    const answer = send(url, {
      body: INITIALIZE,
      headers: { 'mcp-protocol-version': '2025-11-25' },
    });
    (await fixture.upstream.nextRequest()).respondResult({}, { 'Mcp-Session-Id': UPSTREAM_ID });
    expect((await answer).headers['mcp-session-id']).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it.each(['unknown', 'A'.repeat(43)])('that is unknown gets 404: %s', async (id) => {
    const { status, text } = await send(url, { headers: inSession(id) });
    expect(status).toBe(404);
    expect(JSON.parse(await text()).code).toBe('session_not_found');
  });

  it('is useless to another user, on POST, GET and DELETE, and on another attachment', async () => {
    const id = await initialize();
    const thief = await fixture.server.addMember('admin');
    for (const method of ['POST', 'GET', 'DELETE']) {
      const { status } = await send(url, { method, token: thief.token, headers: inSession(id) });
      expect(status).toBe(404);
    }
    const elsewhere = fixture.urlOf(await fixture.integrate());
    expect((await send(elsewhere, { headers: inSession(id) })).status).toBe(404);
    const answer = send(url, { headers: inSession(id) });
    (await fixture.upstream.nextRequest()).respondResult({});
    expect((await answer).status).toBe(200);
  });

  it('goes on under another token of its user', async () => {
    const id = await initialize();
    const { body } = await fixture.api('POST', '/tokens', { name: 'second', scopes: ['mcp'] });
    const answer = send(url, { token: body.secret, headers: inSession(id) });
    (await fixture.upstream.nextRequest()).respondResult({});
    expect((await answer).status).toBe(200);
  });

  it('ends when the upstream no longer knows it', async () => {
    const id = await initialize();
    const answer = send(url, { headers: inSession(id) });
    const lost = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32001, message: 'Session not found' },
    };
    (await fixture.upstream.nextRequest()).respond({ status: 404, body: lost });
    const { status, text } = await answer;
    expect(status).toBe(404);
    expect(JSON.parse(await text())).toEqual(lost);
    expect(await sessions()).toMatchObject([{ state: 'closed' }]);
    const before = fixture.upstream.requests.length;
    expect((await send(url, { headers: inSession(id) })).status).toBe(404);
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it.each([
    [200, 'closed'],
    [405, 'closed'],
    [500, 'open'],
  ])('after a DELETE that the upstream answers with %d is %s', async (status, state) => {
    const id = await initialize();
    const stream = send(url, { method: 'GET', headers: inSession(id) });
    const streaming = await fixture.upstream.nextRequest();
    streaming.startSse();
    await stream;
    const answer = send(url, { method: 'DELETE', headers: inSession(id) });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.headers['mcp-session-id']).toBe(UPSTREAM_ID);
    exchange.respond({ status });
    expect((await answer).status).toBe(status);
    expect(await sessions()).toMatchObject([{ state }]);
    if (state === 'closed') await streaming.closed;
    else (await stream).abort();
  });

  it('with an upstream that has moved is over, and its id is not sent to the new address', async () => {
    const id = await initialize();
    const moved = fixture.upstream.url.replace('127.0.0.1', 'localhost');
    await fixture.api('PATCH', `/integrations/${integrationId}`, { url: moved });
    const before = fixture.upstream.requests.length;
    expect((await send(url, { headers: inSession(id) })).status).toBe(404);
    expect(fixture.upstream.requests.length).toBe(before);
  });

  it('serves other nodes of the same database too', async () => {
    const id = await initialize();
    const other = await startGateway(fixture.server.store);
    const answer = send(fixture.urlOf(integrationId, other.origin), { headers: inSession(id) });
    const exchange = await fixture.upstream.nextRequest();
    expect(exchange.request.headers['mcp-session-id']).toBe(UPSTREAM_ID);
    exchange.respondResult({});
    expect((await answer).status).toBe(200);
    await other.close();
  });
});

describe('a client without a protocol session', () => {
  it.each([
    ['modern', MODERN],
    ['of a stateless legacy upstream', {}],
    ['of one that says its version', { 'mcp-protocol-version': '2025-06-18' }],
  ])('%s has one session for all its activity', async (_name, headers) => {
    for (let count = 0; count < 3; count += 1) {
      const answer = send(url, { headers: headers as Record<string, string> });
      (await fixture.upstream.nextRequest()).respondResult({});
      await (await answer).text();
    }
    expect(await sessions()).toMatchObject([{ era: 'modern', state: 'open' }]);
  });

  it('has no session for calls that the upstream refused', async () => {
    const answer = send(url, { headers: MODERN });
    (await fixture.upstream.nextRequest()).respond({ status: 400, body: {} });
    await answer;
    expect(await sessions()).toEqual([]);
  });
});

/** Milliseconds between two looks of the timers that write behind the calls. */
const TICK = 1_000;

/** What an integration needs so that a call of it carries a credential. */
const credentials = {
  none: { fields: { authMode: 'none' } },
  server_token: { fields: { authMode: 'server_token', serverToken: 'the-server-token' } },
  user_token: { fields: { authMode: 'user_token' }, connection: { token: 'the-user-token' } },
} as const;
type AuthMode = keyof typeof credentials;

async function integrateWith(authMode: AuthMode): Promise<string> {
  const { fields, ...rest } = credentials[authMode];
  const id = await fixture.integrate(fields);
  if ('connection' in rest) {
    await fixture.api('POST', `/integrations/${id}/connection`, rest.connection);
  }
  return id;
}

describe('the steady state', () => {
  // On PostgreSQL a node remembers while it is in touch with the database: here it never is late for that.
  const clock = useStoppedClock();
  const authModes = Object.keys(credentials) as AuthMode[];
  it.each(
    authModes.flatMap((authMode) => (['legacy', 'modern'] as const).map((era) => [era, authMode])),
  )('of a %s client makes no SQL statement, in the mode "%s"', async (era, authMode) => {
    integrationId = await integrateWith(authMode as AuthMode);
    // A call that begins at the instant of a change is admitted again, later.
    clock.pass(1);
    url = fixture.urlOf(integrationId);
    const headers = era === 'legacy' ? inSession(await initialize()) : MODERN;
    const call = async () => {
      const answer = send(url, { headers });
      (await fixture.upstream.nextRequest()).respondResult({});
      await (await answer).text();
    };
    clock.pass(1);
    await call();
    await new Promise((resolve) => setImmediate(resolve));
    fixture.server.store.statements();
    const begun = Date.now();
    for (let count = 0; count < 100; count += 1) await call();
    // One that began before may still have been writing.
    const ticks = 1 + Math.ceil((Date.now() - begun) / TICK);
    const made = fixture.server.store.statements();
    expect(made.filter((sql) => backgroundOf(sql) === undefined)).toEqual([]);
    for (const [kind, count] of countBy(made, backgroundOf)) {
      expect(count, kind).toBeLessThanOrEqual(ticks);
    }
  });

  it('begins after one read for the token, one for the route and one for the session', async () => {
    const { body } = await fixture.api('POST', '/tokens', { name: 'fresh', scopes: ['mcp'] });
    const id = await initialize();
    const other = await startGateway(fixture.server.store);
    fixture.server.store.statements();
    const answer = send(fixture.urlOf(integrationId, other.origin), {
      token: body.secret,
      headers: inSession(id),
    });
    (await fixture.upstream.nextRequest()).respondResult({});
    await answer;
    const made = fixture.server.store.statements();
    expect(made.filter((sql) => backgroundOf(sql) === undefined)).toHaveLength(3);
    await other.close();
  });
});

/** What timers write behind all calls together: one statement of a kind at a tick. */
const background = [
  ['activity', /UPDATE "Session" s/],
  ['presence', /INSERT INTO "SessionPresence"/],
  ['absence', /DELETE FROM "SessionPresence"/],
  ['last use of a token', /UPDATE "Token" SET "lastUsedAt"/],
] as const;

function backgroundOf(sql: string): string | undefined {
  return background.find(([, pattern]) => pattern.test(sql))?.[0];
}

function countBy(sqls: readonly string[], kindOf: (sql: string) => string | undefined) {
  const counts = new Map<string, number>();
  for (const sql of sqls) {
    const kind = kindOf(sql);
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
