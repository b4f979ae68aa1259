import { type Route, routes } from '@gatehouse/contract';
import { startScriptedUpstream } from '@gatehouse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { MODERN } from '../../gateway/fixture.ts';
import { makeFixture, requestOf } from '../../support/operations.ts';
import { use } from '../../support/use.ts';
import { makerOf } from './make.ts';
import { type Carried, OPERATIONS, type WritingOperation } from './operations.ts';
import { ADDRESS, useRecordedServer } from './recorded.ts';

const recorded = useRecordedServer();
const { server, plant, noteAnswer, headersOf, eventsOf } = recorded;
const upstream = use(startScriptedUpstream);
let ownerId: string;

beforeAll(async () => {
  ownerId = (await server.call('GET', '/me')).body.user.id;
});

const all = Object.entries(routes).flatMap(([resource, entries]) =>
  Object.entries<Route>(entries).map(([name, route]) => ({ id: `${resource}.${name}`, route })),
);
const carriedOut = all.filter(({ id }) => Object.hasOwn(OPERATIONS, id));
const others = all.filter(({ id }) => !Object.hasOwn(OPERATIONS, id));

/** Carries an operation out; the events of its request. */
async function carryOut({ method, path }: Route, { ids = [], query = '', body, token }: Carried) {
  const left = [...ids];
  const filled = path.replaceAll(/:\w+/g, () => left.shift() ?? '') + query;
  const requestId = crypto.randomUUID();
  const sender = token === undefined ? {} : { token };
  const called = await server.call(method, filled, {
    ...{ body, headers: headersOf(requestId) },
    ...sender,
  });
  expect(called.status, called.text).toBeLessThan(300);
  // An export has signatures, which look like secrets.
  if (method !== 'GET') noteAnswer(called.text);
  return { requestId, events: await eventsOf(requestId) };
}

describe('an operation leaves one event, with who, from where and by which request', () => {
  it.each(carriedOut)('$id', async ({ id, route }) => {
    const carried = await OPERATIONS[id as WritingOperation](makerOf(recorded));
    const { requestId, events } = await carryOut(route, carried);
    const { records } = carried;
    if (typeof records !== 'string') return expect(events).toEqual([]);
    expect(events).toMatchObject([
      {
        action: records,
        actor: { kind: 'person', id: ownerId, via: { id: expect.any(String) } },
        outcome: 'succeeded',
        requestId,
        address: ADDRESS,
      },
    ]);
  });
});

describe('any other operation reads, and leaves no event', () => {
  it.each(others)('$id', async ({ id, route }) => {
    expect(route.method).toBe('GET');
    const requestId = crypto.randomUUID();
    const fixture = await makeFixture(server, { own: server.owner, admin: server.owner });
    const { path } = route.access === 'public' ? route : requestOf(id, fixture);
    const { status } = await server.call('GET', path, { headers: headersOf(requestId) });
    expect(status).toBeLessThan(500);
    expect(await eventsOf(requestId)).toEqual([]);
  });
});

it('what was recorded has no secret, email, argument or result', async () => {
  const { pair } = makerOf(recorded);
  const [argument, result] = [plant(), plant()];
  upstream.otherwise((exchange) => exchange.respondResult({ content: result }));
  const [applicationId, integrationId] = await pair({ url: upstream.url });
  const params = { name: 'echo', arguments: { text: argument } };
  const answer = await fetch(`${server.origin}/mcp/${applicationId}/${integrationId}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.owner}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...MODERN,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(await answer.text()).toContain(result);
  const calls = () => server.call('GET', `/audit-events?kind=call&integrationId=${integrationId}`);
  await expect.poll(async () => (await calls()).body.items, { timeout: 10_000 }).toHaveLength(1);

  const text = await recorded.recordedText();
  expect(text).toContain('"name":"echo"');
  expect(text).toContain('management event');
  expect(recorded.secretCount()).toBeGreaterThan(30);
  expect(recorded.leaksIn(text)).toEqual([]);
  expect(text).not.toContain('owner@localhost');
});
