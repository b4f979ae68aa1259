import { hash } from 'node:crypto';
import type { Exchange } from '@gatehouse/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { useStoppedClock } from '../support/clock.ts';
import { jsonOf, startUnconnected, type Unconnected } from './connect-fixture.ts';
import { CALL, clientOf, startGateway, type TestGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const UPSTREAM_ID = 'upstream-session-id';

/** A legacy upstream, and the methods that it was sent, each with the session it was sent in. */
function upstreamWith(onInitialize: (exchange: Exchange) => void) {
  const received: [string | undefined, unknown][] = [];
  fixture.upstream.otherwise((exchange) => {
    const { message, request, respond, respondResult } = exchange;
    const method = message?.method ?? request.method;
    received.push([method, request.headers['mcp-session-id']]);
    if (method === 'initialize') onInitialize(exchange);
    else if (method === 'notifications/initialized') respond({ status: 202 });
    else respondResult({ echo: method });
  });
  return received;
}

const agreeing = ({ message, respondResult }: Exchange): void =>
  respondResult(
    { protocolVersion: paramsOf(message).protocolVersion, capabilities: {}, serverInfo: {} },
    { 'Mcp-Session-Id': UPSTREAM_ID },
  );

function paramsOf(message: Exchange['message']): Record<string, unknown> {
  return (message as { params?: Record<string, unknown> } | undefined)?.params ?? {};
}

const CAPABILITIES = { sampling: {}, elicitation: { url: {} }, roots: { listChanged: true } };

/** A person with a connect session who has connected meanwhile. */
async function connected() {
  const person = await startUnconnected(fixture);
  const headers = await person.initialize('2025-06-18', CAPABILITIES);
  await person.connect();
  return { person, headers, id: String(headers['mcp-session-id']) };
}

async function anotherNode(): Promise<TestGateway> {
  const node = await startGateway(fixture.server.store);
  closers.push(node.close);
  return node;
}

function rowsOf({ integrationId }: Unconnected) {
  return fixture.server.store.db.session.findMany({ where: { integrationId } });
}

describe('a connect session of a person who has connected', () => {
  it('goes on under its id, with an upstream that hears what the client had said', async () => {
    const said: unknown[] = [];
    const received = upstreamWith((exchange) => {
      said.push(paramsOf(exchange.message), exchange.request.headers.authorization);
      agreeing(exchange);
    });
    const { person, headers, id } = await connected();
    expect(await person.ask({ headers, body: CALL })).toMatchObject({
      id: 1,
      result: { echo: 'tools/call' },
    });
    const clientInfo = { name: 'client', version: '1' };
    expect(said).toEqual([
      { protocolVersion: '2025-06-18', capabilities: CAPABILITIES, clientInfo },
      'Bearer secret',
    ]);
    expect(received).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', UPSTREAM_ID],
      ['tools/call', UPSTREAM_ID],
    ]);
    expect(fixture.upstream.hasReceived(id)).toBe(false);
    const path = `/applications/${fixture.applicationId}/sessions`;
    const { items } = (await fixture.api('GET', path)).body;
    expect(items[0]).toMatchObject({ integrationId: person.integrationId, era: 'legacy' });
  });

  it('is stored as a hash and sealed, as other sessions are', async () => {
    upstreamWith(agreeing);
    const { person, headers, id } = await connected();
    await person.ask({ headers, body: CALL });
    const [row, ...others] = await rowsOf(person);
    expect(others).toEqual([]);
    expect(Buffer.from(row?.hash ?? []).toString('hex')).toBe(hash('sha256', id));
    expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toContain(UPSTREAM_ID);
  });

  it('is adopted once, however many requests come at the same moment', async () => {
    const received = upstreamWith((exchange) => setTimeout(() => agreeing(exchange), 50));
    const { person, headers } = await connected();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => person.ask({ headers, body: CALL })),
    );
    expect(answers.every(({ result }) => result.echo === 'tools/call')).toBe(true);
    expect(received.filter(([method]) => method === 'initialize')).toHaveLength(1);
    expect(await rowsOf(person)).toHaveLength(1);
  });

  it('is one session also where two nodes get a request at the same moment', async () => {
    let begun = 0;
    const waiting: (() => void)[] = [];
    const received = upstreamWith(({ respondResult }) => {
      begun += 1;
      const number = begun;
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} };
      waiting.push(() => respondResult(result, { 'Mcp-Session-Id': `upstream-${number}` }));
      // Neither node has stored anything yet.
      if (begun === 2) for (const respond of waiting) respond();
    });
    const { person, headers } = await connected();
    const other = await anotherNode();
    const there = fixture.urlOf(person.integrationId, other.origin);
    const answers = await Promise.all([
      person.ask({ headers, body: CALL }),
      clientOf(person.token)(there, { headers, body: CALL }).then(jsonOf),
    ]);
    expect(answers.map(({ result }) => result.echo)).toEqual(['tools/call', 'tools/call']);
    expect(await rowsOf(person)).toHaveLength(1);
    const used = new Set(received.flatMap(([method, id]) => (method === 'tools/call' ? [id] : [])));
    const ended = received.flatMap(([method, id]) => (method === 'DELETE' ? [id] : []));
    expect(used.size).toBe(1);
    expect(ended).toHaveLength(1);
    expect(new Set([...used, ...ended])).toEqual(new Set(['upstream-1', 'upstream-2']));
  });

  it('serves other nodes, and another token of its user', async () => {
    const received = upstreamWith(agreeing);
    const { person, headers } = await connected();
    await person.ask({ headers, body: CALL });
    const other = await anotherNode();
    const { body } = await fixture.server.call('POST', '/tokens', {
      token: person.token,
      body: { name: 'another', scopes: ['mcp'] },
    });
    for (const [origin, token] of [
      [other.origin, person.token],
      [other.origin, body.secret],
      [fixture.server.origin, body.secret],
    ]) {
      const url = fixture.urlOf(person.integrationId, origin);
      expect((await clientOf(token)(url, { headers, body: CALL })).status).toBe(200);
    }
    const stranger = await fixture.server.addMember('admin');
    const refused = await clientOf(stranger.token)(person.url, { headers, body: CALL });
    expect(refused.status).toBe(404);
    expect(received.filter(([method]) => method === 'initialize')).toHaveLength(1);
  });

  it('goes on with an upstream that issues no session ids', async () => {
    const received = upstreamWith(({ respondResult }) =>
      respondResult({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} }),
    );
    const { person, headers } = await connected();
    await person.ask({ headers, body: CALL });
    const other = await anotherNode();
    const there = fixture.urlOf(person.integrationId, other.origin);
    expect((await clientOf(person.token)(there, { headers, body: CALL })).status).toBe(200);
    expect(received).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', undefined],
      ['tools/call', undefined],
      ['tools/call', undefined],
    ]);
  });

  it('goes on with the stream that its client opens', async () => {
    fixture.upstream.otherwise((exchange) => {
      const { message, request, respond, startSse, sendEvent } = exchange;
      if (message?.method === 'initialize') return agreeing(exchange);
      if (request.method !== 'GET') return respond({ status: 202 });
      startSse();
      return sendEvent({ data: 'from the upstream' });
    });
    const { person, headers } = await connected();
    const stream = await person.send({ method: 'GET', headers });
    await stream.received('from the upstream');
    stream.abort();
  });

  it('ends as other sessions do, and is not adopted again', async () => {
    const received = upstreamWith(agreeing);
    const { person, headers } = await connected();
    await person.ask({ headers, body: CALL });
    expect((await person.send({ method: 'DELETE', headers })).status).toBe(200);
    expect((await rowsOf(person))[0]).toMatchObject({ state: 'closed', sealed: null });
    const other = await anotherNode();
    for (const origin of [fixture.server.origin, other.origin]) {
      const url = fixture.urlOf(person.integrationId, origin);
      const answer = await clientOf(person.token)(url, { headers, body: CALL });
      expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([
        404,
        'session_not_found',
      ]);
    }
    expect(received.filter(([method]) => method === 'initialize')).toHaveLength(1);
  });

  it('needs no upstream to end before it was adopted', async () => {
    const received = upstreamWith(agreeing);
    const { person, headers } = await connected();
    expect((await person.send({ method: 'DELETE', headers })).status).toBe(204);
    expect(received).toEqual([]);
  });

  it('is revoked with the connection', async () => {
    const received = upstreamWith(agreeing);
    const { person, headers } = await connected();
    await person.ask({ headers, body: CALL });
    const path = `/integrations/${person.integrationId}/connection`;
    await fixture.api('DELETE', path, undefined, person.token);
    expect(await rowsOf(person)).toMatchObject([{ state: 'revoked' }]);
    await person.connect();
    expect((await person.send({ headers, body: CALL })).status).toBe(404);
    expect(received.filter(([method]) => method === 'initialize')).toHaveLength(1);
  });

  it('is not left over when the person disconnects while it begins', async () => {
    const beginning = new Promise<Exchange>((resolve) => void upstreamWith(resolve));
    const { person, headers } = await connected();
    const answer = person.send({ headers, body: CALL });
    const exchange = await beginning;
    const path = `/integrations/${person.integrationId}/connection`;
    await fixture.api('DELETE', path, undefined, person.token);
    expect((await answer).status).toBe(403);
    agreeing(exchange);
    await expect
      .poll(async () => (await rowsOf(person)).map(({ state }) => state), { timeout: 10_000 })
      .toEqual(['closed']);
  });
});

describe('a connect session that cannot be adopted', () => {
  it('is over if the upstream speaks another version, which the next client is offered', async () => {
    const received = upstreamWith(({ respondResult }) =>
      respondResult(
        { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: {} },
        { 'Mcp-Session-Id': UPSTREAM_ID },
      ),
    );
    const { person, headers } = await connected();
    const answer = await person.send({ headers, body: CALL });
    const { code, detail } = JSON.parse(await answer.text());
    expect([answer.status, code]).toEqual([404, 'session_not_found']);
    expect(detail).toContain('Your account is connected now. Reconnect');
    expect(received).toEqual([
      ['initialize', undefined],
      ['DELETE', UPSTREAM_ID],
    ]);
    expect(await rowsOf(person)).toEqual([]);
    const { db } = fixture.server.store;
    const where = { id: person.integrationId };
    await expect
      .poll(async () => (await db.integration.findUniqueOrThrow({ where })).spokenEras, {
        timeout: 10_000,
      })
      .toMatchObject({ legacy: '2025-03-26' });
  });

  it('is over if the upstream does not initialize', async () => {
    const error = { code: -32022, message: 'Unsupported protocol version' };
    upstreamWith(({ respond }) =>
      respond({ status: 400, body: { jsonrpc: '2.0', id: null, error } }),
    );
    const { person, headers } = await connected();
    expect((await person.send({ headers, body: CALL })).status).toBe(404);
  });

  it('waits while the upstream fails', async () => {
    const answers = [503, 429, 0, 200];
    upstreamWith((exchange) => {
      const status = answers.shift();
      if (status === 200) agreeing(exchange);
      else if (status === 0) exchange.drop();
      else exchange.respond({ status: status ?? 500 });
    });
    const { person, headers } = await connected();
    for (const expected of [502, 502, 502, 200]) {
      expect((await person.send({ headers, body: CALL })).status).toBe(expected);
    }
  });

  it('waits while the upstream rejects the credential, and says so with the id of the message', async () => {
    let isAccepting = false;
    upstreamWith((exchange) => {
      if (isAccepting) agreeing(exchange);
      else exchange.respond({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
    });
    const { person, headers } = await connected();
    expect(await person.ask({ headers, body: { ...CALL, id: 77 } })).toMatchObject({
      id: 77,
      error: { code: -31001, data: { code: 'credential_rejected', connectUrl: person.connectUrl } },
    });
    isAccepting = true;
    expect((await person.send({ headers, body: CALL })).status).toBe(200);
    await untilReported();
  });

  it('sends a call back that has passed this gateway before', async () => {
    const marks: unknown[] = [];
    upstreamWith((exchange) => {
      marks.push(exchange.request.headers['cdn-loop']);
      agreeing(exchange);
    });
    const { person, headers } = await connected();
    await person.ask({ headers, body: CALL });
    const looping = { ...headers, 'cdn-loop': String(marks[0]) };
    expect((await person.send({ headers: looping, body: CALL })).status).toBe(508);
  });
});

/** What a call says about its credential is written behind. A later test must not meet it. */
async function untilReported(): Promise<void> {
  const isReport = (sql: string) => sql.includes('SET "reason" = $1');
  await expect
    .poll(() => fixture.server.store.statements().some(isReport), { timeout: 10_000 })
    .toBe(true);
}

describe('the steady state of an adopted session', () => {
  const clock = useStoppedClock();

  it('makes no SQL statement', async () => {
    upstreamWith(agreeing);
    const { person, headers } = await connected();
    // A call that begins at the instant of a change is admitted again, later.
    clock.pass(1);
    await person.ask({ headers, body: CALL });
    clock.pass(1);
    expect((await person.send({ headers, body: CALL })).status).toBe(200);
    const background =
      /UPDATE "Session" s|"SessionPresence"|UPDATE "Token" SET "lastUsedAt"|"spokenEras"/;
    const made = () => fixture.server.store.statements().filter((sql) => !background.test(sql));
    made();
    for (let count = 0; count < 50; count += 1) await person.ask({ headers, body: CALL });
    expect(made()).toEqual([]);
  });
});
