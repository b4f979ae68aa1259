import type { Exchange } from '@gatehouse/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SpokenEras } from '../../src/mcp/spoken-eras.ts';
import { initializeBody, jsonOf, modernRequest, startUnconnected } from './connect-fixture.ts';
import { CALL, clientOf, MODERN, startGateway, type TestGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

function storedEras(integrationId: string) {
  const { db } = fixture.server.store;
  const found = db.integration.findUniqueOrThrow({ where: { id: integrationId } });
  return found.then(({ spokenEras }) => spokenEras);
}

describe('in front of an upstream that speaks the legacy era alone', () => {
  const LEGACY: SpokenEras = { legacy: '2025-06-18', modern: null };

  it('a modern client gets what such a server says, with the link', async () => {
    const person = await startUnconnected(fixture, {}, LEGACY);
    for (const request of [modernRequest('server/discover'), modernRequest('tools/list')]) {
      const answer = await person.send(request);
      expect(answer.status).toBe(400);
      const { error } = await jsonOf(answer);
      // Not one of the modern era's: a client of both eras initializes next.
      expect(error).toMatchObject({ code: -31001, data: { connectUrl: person.connectUrl } });
      expect(error.message).toContain(person.connectUrl);
    }
  });

  it('a legacy client is offered no newer version than the upstream has', async () => {
    const person = await startUnconnected(fixture, {}, LEGACY);
    for (const [requested, agreed] of [
      ['2025-11-25', '2025-06-18'],
      ['2025-06-18', '2025-06-18'],
      ['2025-03-26', '2025-03-26'],
    ]) {
      const { result } = await person.ask({ body: initializeBody(requested) });
      expect(result.protocolVersion).toBe(agreed);
    }
  });
});

describe('in front of an upstream that speaks the modern era alone', () => {
  const ALONE: SpokenEras = { legacy: null, modern: '2026-07-28' };

  it('a legacy client learns which version it needs, and gets the link', async () => {
    const person = await startUnconnected(fixture, {}, ALONE);
    const answer = await person.send({ body: initializeBody() });
    expect(answer.status).toBe(400);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    const { id, error } = await jsonOf(answer);
    expect([id, error.code]).toEqual([1, -32022]);
    expect(error.data).toMatchObject({
      supported: ['2026-07-28'],
      requested: '2025-11-25',
      connectUrl: person.connectUrl,
    });
    expect(error.message).toContain(person.connectUrl);
    expect((await person.send({ body: [LIST, LIST] })).status).toBe(400);
    expect((await person.send(modernRequest('server/discover'))).status).toBe(200);
  });

  it('a session that has begun before that was known goes on', async () => {
    const person = await startUnconnected(fixture);
    const headers = await person.initialize();
    await fixture.server.store.db.integration.update({
      where: { id: person.integrationId },
      data: { spokenEras: { url: fixture.upstream.url, ...ALONE } },
    });
    const gateway = await startGateway(fixture.server.store);
    const url = fixture.urlOf(person.integrationId, gateway.origin);
    expect((await clientOf(person.token)(url, { headers, body: LIST })).status).toBe(200);
    await gateway.close();
  });
});

describe('an upstream that nothing is known of', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway(fixture.server.store, { eras: { askWithin: 10_000 } });
  });
  afterEach(async () => {
    fixture.upstream.otherwise(({ respondResult }) => respondResult({}));
    await gateway.close();
  });

  /** A person without a connection, at this gateway. */
  async function unknown() {
    const person = await startUnconnected(fixture, {}, {});
    const url = fixture.urlOf(person.integrationId, gateway.origin);
    const send = clientOf(person.token);
    return { ...person, url, send: (options: Parameters<typeof send>[1]) => send(url, options) };
  }

  /** Answers the two questions. */
  function upstreamAnswering(answers: Record<string, (exchange: Exchange) => void>) {
    const asked: [string | undefined, unknown][] = [];
    fixture.upstream.otherwise((exchange) => {
      const { message, request, respond } = exchange;
      asked.push([message?.method ?? request.method, request.headers.authorization]);
      const answer = answers[message?.method ?? ''];
      if (answer === undefined) respond({ status: 202 });
      else answer(exchange);
    });
    return asked;
  }

  const discovered = ({ respondResult }: Exchange) =>
    respondResult({ supportedVersions: ['2026-07-28'], capabilities: {} });
  const initialized = ({ respondResult }: Exchange) =>
    respondResult(
      { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} },
      { 'Mcp-Session-Id': 'asking' },
    );
  const refused =
    (status: number) =>
    ({ respond }: Exchange): void =>
      respond({ status, body: {} });

  it.each([
    ['both eras', discovered, initialized, { legacy: '2025-06-18', modern: '2026-07-28' }],
    ['the legacy era', refused(400), initialized, { legacy: '2025-06-18', modern: null }],
    ['the modern era', discovered, refused(400), { legacy: null, modern: '2026-07-28' }],
  ] as const)(
    'is asked once, without a credential, and speaks %s',
    async (_name, discover, initialize, eras) => {
      const asked = upstreamAnswering({ 'server/discover': discover, initialize });
      const person = await unknown();
      const answers = await Promise.all([
        person.send(modernRequest('server/discover')),
        person.send({ body: initializeBody() }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([
        eras.modern === null ? 400 : 200,
        eras.legacy === null ? 400 : 200,
      ]);
      await gateway.eras.flush();
      expect(await storedEras(person.integrationId)).toEqual({
        url: fixture.upstream.url,
        ...eras,
      });
      await person.send({ body: initializeBody() });
      const methods = asked.map(([method]) => method).sort();
      const ended = eras.legacy === null ? [] : ['DELETE'];
      expect(methods).toEqual([...ended, 'initialize', 'server/discover']);
      expect(asked.filter(([, authorization]) => authorization !== undefined)).toEqual([]);
    },
  );

  it.each([401, 403, 429, 500])(
    'and that answers %d speaks the legacy era, until it says more',
    async (status) => {
      const asked = upstreamAnswering({
        'server/discover': refused(status),
        initialize: refused(status),
      });
      const person = await unknown();
      expect((await person.send({ body: initializeBody() })).status).toBe(200);
      expect((await person.send(modernRequest('server/discover'))).status).toBe(400);
      await gateway.eras.flush();
      expect(await storedEras(person.integrationId)).toEqual({ url: fixture.upstream.url });
      expect(asked).toHaveLength(2);
    },
  );

  it('and that is silent keeps only people waiting who have not connected', async () => {
    upstreamAnswering({ 'server/discover': () => undefined, initialize: () => undefined });
    const person = await unknown();
    const other = await fixture.server.addMember('member');
    await fixture.api(
      'POST',
      `/integrations/${person.integrationId}/connection`,
      { token: 'secret' },
      other.token,
    );
    const waiting = person.send({ body: initializeBody() });
    let isAnswered = false;
    // The gateway is closed before.
    const over = waiting.then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    const call = await clientOf(other.token)(person.url, { headers: MODERN, body: CALL });
    expect([call.status, isAnswered]).toEqual([202, false]);
    await gateway.close();
    gateway = await startGateway(fixture.server.store, { eras: { askWithin: 50 } });
    const url = fixture.urlOf(person.integrationId, gateway.origin);
    expect((await clientOf(person.token)(url, { body: initializeBody() })).status).toBe(200);
    await over;
  });

  it.each([
    ['initialize', {}, initializeBody('2025-06-18'), { legacy: '2025-06-18' }, initialized],
    [
      'server/discover',
      modernRequest('server/discover').headers,
      modernRequest('server/discover').body,
      { modern: '2026-07-28' },
      discovered,
    ],
  ] as const)('shows its era by its answer to %s', async (method, headers, body, eras, answer) => {
    upstreamAnswering({ [method]: answer });
    const person = await unknown();
    await person.connect();
    const relayed = await person.send({ headers, body });
    await relayed.text();
    expect(relayed.status).toBe(200);
    await gateway.eras.flush();
    const listChanged: string[] = [];
    expect(await storedEras(person.integrationId)).toEqual({
      url: fixture.upstream.url,
      listChanged,
      ...eras,
    });
  });

  it.each([
    ['an error', { respond: { body: { jsonrpc: '2.0', id: 5, error: { code: -32601 } } } }],
    [
      'another message',
      { respond: { body: { jsonrpc: '2.0', id: 6, result: { capabilities: {} } } } },
    ],
    ['no JSON', { respond: { body: 'no' } }],
  ])('shows nothing by %s', async (_name, { respond }) => {
    upstreamAnswering({ 'server/discover': (exchange) => exchange.respond(respond) });
    const person = await unknown();
    await person.connect();
    await (await person.send(modernRequest('server/discover'))).text();
    await gateway.eras.flush();
    expect(await storedEras(person.integrationId)).toEqual({ url: fixture.upstream.url });
  });
});

it('what is known of a URL says nothing about another one', async () => {
  const person = await startUnconnected(fixture, {}, { legacy: null, modern: '2026-07-28' });
  expect((await person.send({ body: initializeBody() })).status).toBe(400);
  fixture.upstream.otherwise(({ respond }) => respond({ status: 401 }));
  const url = fixture.upstream.url.replace('127.0.0.1', 'localhost');
  await fixture.api('PATCH', `/integrations/${person.integrationId}`, { url });
  expect((await person.send({ body: initializeBody() })).status).toBe(200);
});
