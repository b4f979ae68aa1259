import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { CallRecord } from '../../src/gateway/call-record.ts';
import { databaseUnavailable } from '../../src/platform/database/database-failure.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { testDatabaseKind } from '../support/database.ts';
import { use } from '../support/use.ts';
import { CALL, clientOf, MODERN, type SendOptions, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture();
const member = use(async () => ({ ...(await fixture.server.addMember('member')), close() {} }));
const send = clientOf(() => fixture.server.owner);

beforeEach(async () => {
  fixture.upstream.otherwise(({ respondResult }) => respondResult({}));
  // No minute must begin during a test.
  const second = (Date.now() / 1000) % 60;
  if (second > 55) await delay((60.5 - second) * 1000);
});

/** An attached integration, for which everyone has a credential. */
async function integrate(policy: object = {}) {
  const id = await fixture.integrate({ authMode: 'server_token', serverToken: 'secret' });
  await fixture.api('PUT', `/integrations/${id}/policy`, policy);
  return { id, url: fixture.urlOf(id) };
}

function attachmentPolicy(integrationId: string, policy: object) {
  const path = `/applications/${fixture.applicationId}/integrations/${integrationId}/policy`;
  return fixture.api('PUT', path, policy);
}

/** The status of a call, or the limit that has refused it. */
async function outcomeOf(url: string, options: SendOptions = {}): Promise<unknown> {
  const answer = await send(url, options);
  const text = await answer.text();
  const error = text === '' ? undefined : JSON.parse(text).error;
  return error?.code === -31004 ? `${error.data.level} ${error.data.limit}` : answer.status;
}

async function outcomesOf(url: string, ...calls: SendOptions[]): Promise<unknown[]> {
  const outcomes = [];
  for (const call of calls) outcomes.push(await outcomeOf(url, call));
  return outcomes;
}

const notification = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };
const response = { jsonrpc: '2.0', id: 1, result: {} };
const batchOf = (...messages: object[]) => ({ body: messages });
const upstreamCount = () => fixture.upstream.requests.length;

describe('a limit', () => {
  it('is answered in JSON-RPC with the time to wait, and nothing goes up', async () => {
    const { id, url } = await integrate({ limits: { perMinute: 1 } });
    expect(await outcomeOf(url)).toBe(200);
    const before = upstreamCount();
    const body = { ...CALL, id: 'a"\u00e4' };
    const answer = await send(url, { body });
    const {
      jsonrpc,
      id: answered,
      error,
    } = JSON.parse(Buffer.from(await answer.text(), 'latin1').toString());
    expect({ status: answer.status, jsonrpc, answered }).toEqual({
      status: 200,
      jsonrpc: '2.0',
      answered: body.id,
    });
    const retryAfter = Number(answer.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(error).toMatchObject({
      code: -31004,
      data: {
        code: 'limited',
        level: 'integration',
        limit: 'perMinute',
        retryAfter,
        integrationId: id,
      },
    });
    expect(error.message).toMatch(
      /^The limit of requests a minute .* Try again in \d+ seconds?\.$/,
    );
    expect(upstreamCount()).toBe(before);
  });

  it('of an attachment is for each person', async () => {
    const { id, url } = await integrate();
    await attachmentPolicy(id, { limits: { perMinute: 1 } });
    expect(await outcomesOf(url, {}, {}, { token: member.token }, { token: member.token })).toEqual(
      [200, 'person perMinute', 200, 'person perMinute'],
    );
  });

  it('that an admin sets for one application is for each person there, whatever its owner sets', async () => {
    const perApplication = { [fixture.applicationId]: { limits: { perMinute: 1 } } };
    const { id, url } = await integrate({ perApplication });
    await attachmentPolicy(id, { limits: { perMinute: 100 } });
    expect(await outcomesOf(url, {}, {})).toEqual([200, 'person perMinute']);
    const path = `/applications/${fixture.applicationId}/integrations/${id}`;
    await fixture.api('DELETE', path);
    await fixture.api('POST', path);
    expect(await outcomeOf(url), 'attached again').toBe('person perMinute');
  });

  it('of an integration is for all callers together', async () => {
    const { url } = await integrate({ limits: { perMinute: 2 } });
    expect(await outcomesOf(url, {}, { token: member.token }, {})).toEqual([
      200,
      200,
      'integration perMinute',
    ]);
  });

  it('of an application is for its calls to all integrations', async () => {
    const { body } = await fixture.api('POST', '/applications', {
      name: 'Limited',
      oauth: { type: 'public', redirectUris: ['http://localhost/callback'] },
      limits: { perMinute: 2 },
    });
    const { id } = body.application;
    const urls = [];
    for (const integration of [await integrate(), await integrate()]) {
      await fixture.api('POST', `/applications/${id}/integrations/${integration.id}`);
      urls.push(`${fixture.server.origin}/mcp/${id}/${integration.id}`);
    }
    const [one = '', other = ''] = urls;
    expect([
      ...(await outcomesOf(one, {})),
      ...(await outcomesOf(other, {}, {})),
      ...(await outcomesOf(one, {})),
    ]).toEqual([200, 200, 'application perMinute', 'application perMinute']);
    await fixture.api('PATCH', `/applications/${id}`, { limits: null });
    expect(await outcomeOf(one), 'without the limit').toBe(200);
  });

  it('that is changed applies at the next request', async () => {
    const { id, url } = await integrate({ limits: { perMinute: 1 } });
    expect(await outcomesOf(url, {}, {})).toEqual([200, 'integration perMinute']);
    await fixture.api('PUT', `/integrations/${id}/policy`, { limits: { perMinute: 3 } });
    expect(await outcomesOf(url, {}, {}, {})).toEqual([200, 200, 'integration perMinute']);
    await fixture.api('PUT', `/integrations/${id}/policy`, null);
    expect(await outcomeOf(url)).toBe(200);
  });

  it('takes neither a statement nor a wait from most calls', async () => {
    const { url } = await integrate({ limits: { perMinute: 1_000, concurrent: 40 } });
    await outcomeOf(url);
    fixture.server.store.statements();
    expect(await outcomesOf(url, ...Array.from({ length: 30 }, () => ({})))).not.toContain(503);
    const made = fixture.server.store.statements().filter((sql) => /INSERT INTO "Call/.test(sql));
    expect(made).toEqual([]);
  });
});

describe('what counts', () => {
  it.each([
    ['a GET', { method: 'GET', headers: { 'mcp-protocol-version': '2025-11-25' } }],
    ['a DELETE', { method: 'DELETE', headers: { 'mcp-protocol-version': '2025-11-25' } }],
    ['a listen', { body: { ...CALL, method: 'subscriptions/listen', params: {} } }],
  ] as [string, SendOptions][])('%s does not', async (_, options) => {
    const { url } = await integrate({ limits: { perMinute: 1, concurrent: 1 } });
    expect(await outcomeOf(url)).toBe(200);
    const before = upstreamCount();
    await (await send(url, options)).text();
    expect(upstreamCount()).toBe(before + 1);
  });

  it.each([
    ['a notification', { body: notification }],
    ['a response', { body: response }],
    ['notifications in a batch', batchOf(notification, notification)],
  ] as [string, SendOptions][])(
    '%s counts in its minute, and waits for no place in progress',
    async (_, options) => {
      const count = Array.isArray(options.body) ? options.body.length : 1;
      const { url } = await integrate({ limits: { perMinute: 1 + count, concurrent: 1 } });
      const calling = send(url);
      const exchange = await fixture.upstream.nextRequest();
      await (await send(url, options)).text();
      const before = upstreamCount();
      const refused = await send(url, options);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(JSON.parse(await refused.text())).toMatchObject({
        id: null,
        error: { code: -31004, data: { limit: 'perMinute' } },
      });
      expect(upstreamCount()).toBe(before);
      exchange.respondResult({});
      await (await calling).text();
    },
  );

  it('a batch counts its messages, and goes whole or not at all', async () => {
    const { url } = await integrate({ limits: { perMinute: 5 } });
    const two = batchOf({ ...CALL, id: 1 }, notification, { ...CALL, id: 'two' });
    expect(await outcomeOf(url, two)).toBe(200);
    const before = upstreamCount();
    const answers = JSON.parse(await (await send(url, two)).text());
    expect(answers).toMatchObject([
      { id: 1, error: { code: -31004, message: expect.stringContaining('batch') } },
      { id: 'two', error: { code: -31004 } },
    ]);
    expect(answers).toHaveLength(2);
    expect(upstreamCount()).toBe(before);
    expect(await outcomeOf(url), 'what is left').toBe(200);
  });

  it.each([
    ['a request that mentions others', { text: '"notifications/progress", "result" and "error"' }],
    ['a request that mentions a listen', { text: '"subscriptions/listen"' }],
    ['a request with escapes in its text', { text: '\u00e4"method"' }],
  ])('%s does', async (_, args) => {
    const { url } = await integrate({ limits: { perMinute: 1 } });
    const call = { body: { ...CALL, params: { name: 'echo', arguments: args } } };
    expect(await outcomesOf(url, call, call)).toEqual([200, 'integration perMinute']);
  });

  it('a long body does, and goes up as it came', async () => {
    const { url } = await integrate({ limits: { perMinute: 1 } });
    const body = JSON.stringify({ ...CALL, params: { name: 'echo', text: 'x'.repeat(300_000) } });
    expect(await outcomesOf(url, { body }, { body })).toEqual([200, 'integration perMinute']);
    expect(fixture.upstream.requests.at(-1)?.body.toString()).toBe(body);
  });

  it('a call that rules about names refuse does not', async () => {
    const { url } = await integrate({ limits: { perMinute: 1 }, tools: { deny: ['write'] } });
    const denied = { body: { ...CALL, params: { name: 'write' } } };
    await (await send(url, denied)).text();
    expect(await outcomesOf(url, {}, {})).toEqual([200, 'integration perMinute']);
  });

  it.each([
    ['is no JSON', { body: '{"jsonrpc"' }, 400],
    ['repeats a key in a batch', { body: '[{"id":{},"id":1,"method":"ping"}]' }, 400],
    ['begins with a byte order mark', { body: `\uFEFF${JSON.stringify(CALL)}` }, 400],
    [
      'is compressed',
      { body: gzipSync(JSON.stringify(CALL)), headers: { 'content-encoding': 'gzip' } },
      415,
    ],
  ] as [string, SendOptions, number][])('a body that %s is refused', async (_, options, status) => {
    const { url } = await integrate({ limits: { perMinute: 100 } });
    const before = upstreamCount();
    expect((await send(url, options)).status).toBe(status);
    expect(upstreamCount()).toBe(before);
  });
});

describe('requests in progress', () => {
  it('hold their slot until their response has ended, also a stream', async () => {
    const { url } = await integrate({ limits: { concurrent: 1 } });
    const calling = send(url, { headers: MODERN });
    const exchange = await fixture.upstream.nextRequest();
    exchange.startSse();
    await exchange.sendEvent({ data: 'hello' });
    const stream = await calling;
    await stream.received('hello');
    const refused = await send(url);
    expect(refused.headers['retry-after']).toBe('1');
    expect(JSON.parse(await refused.text())).toMatchObject({
      error: { data: { limit: 'concurrent', retryAfter: 1 } },
    });
    exchange.end();
    await stream.text();
    await expect.poll(() => outcomeOf(url)).toBe(200);
  });

  it('give it back when their client leaves', async () => {
    const { url } = await integrate({ limits: { concurrent: 1 } });
    const client = new AbortController();
    const calling = send(url, { signal: client.signal });
    await fixture.upstream.nextRequest();
    client.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(() => outcomeOf(url)).toBe(200);
  });
});

it('a call that a limit has refused is recorded and counted as such', async () => {
  const records: CallRecord[] = [];
  const observer = { ended: (record: CallRecord) => void records.push(record) };
  const gateway = await startGateway(fixture.server.store, { observers: [observer] });
  const { id } = await integrate({ limits: { perMinute: 1 } });
  const url = fixture.urlOf(id, gateway.origin);
  expect(await outcomesOf(url, {}, {})).toEqual([200, 'integration perMinute']);
  await expect.poll(() => records.map(({ outcome }) => outcome)).toEqual(['relayed', 'limited']);
  expect(await gateway.metrics.registry.metrics()).toContain(
    'gatehouse_limited_calls_total{level="integration",limit="per_minute"} 1',
  );
  await gateway.close();
});

describe.runIf(testDatabaseKind === 'postgresql')('while the database', () => {
  /** A node, and what happens before its statements about limits. */
  async function startNode(before: () => Promise<void>) {
    const { store } = fixture.server;
    const statement: Store['statement'] = async (changes, make) => {
      if (make([]).name === 'take-call-budget') await before();
      return store.statement(changes, make);
    };
    const gateway = await startGateway({ ...store, statement });
    onTestFinished(() => gateway.close());
    return gateway;
  }

  it('is away, what the node has of a limit is used, and then calls are refused with 503', async () => {
    const state = { isAway: false };
    const { origin } = await startNode(async () => {
      if (state.isAway) throw databaseUnavailable();
    });
    const { id } = await integrate({ limits: { perMinute: 40 } });
    const url = fixture.urlOf(id, origin);
    expect(await outcomeOf(url)).toBe(200);
    state.isAway = true;
    expect(await outcomesOf(url, {}, {})).toEqual([200, 503]);
    state.isAway = false;
    expect(await outcomeOf(url)).toBe(200);
  });

  it('is slow, a call that waits for a limit is judged by rules that are set meanwhile', async () => {
    const events = new EventEmitter();
    const [waiting, goingOn] = [once(events, 'waiting'), once(events, 'going on')];
    const { origin } = await startNode(async () => {
      events.emit('waiting');
      await goingOn;
    });
    const { id } = await integrate({ limits: { perMinute: 40 } });
    const before = upstreamCount();
    const calling = send(fixture.urlOf(id, origin));
    await waiting;
    await fixture.api('PUT', `/integrations/${id}/policy`, { tools: { deny: ['echo'] } });
    events.emit('going on');
    expect(JSON.parse(await (await calling).text())).toMatchObject({ error: { code: -31003 } });
    expect(upstreamCount()).toBe(before);
  });
});
