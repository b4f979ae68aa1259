import { EventEmitter, once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CALL, clientOf, MODERN, startGateway, useFixture } from './fixture.ts';

const fixture = useFixture(() => ({ auditCalls: 'sync' }));
const send = clientOf(() => fixture.server.owner);

interface Event {
  readonly id: string;
  readonly outcome: string;
  readonly details: Readonly<Record<string, unknown>>;
}

async function callsOf(integrationId: string, filter = ''): Promise<Event[]> {
  const path = `/audit-events?kind=call&integrationId=${integrationId}${filter}`;
  return (await fixture.api('GET', path)).body.items;
}

async function outcomesOf(integrationId: string): Promise<string[]> {
  return (await callsOf(integrationId)).map(({ outcome }) => outcome);
}

it('a call goes upstream when its event is stored, and is one item until it ends', async () => {
  const integrationId = await fixture.integrate();
  const answer = send(fixture.urlOf(integrationId), { headers: MODERN });
  const upstream = await fixture.upstream.nextRequest();
  const [begun, ...others] = await callsOf(integrationId);
  expect(others).toEqual([]);
  expect(begun).toMatchObject({ outcome: 'begun', details: { name: 'echo', status: 0, ms: 0 } });

  upstream.respondResult({});
  await (await answer).text();
  await expect.poll(() => outcomesOf(integrationId)).toEqual(['relayed']);
  const [ended] = await callsOf(integrationId);
  expect(ended?.details).toMatchObject({ begun: begun?.id, status: 200 });
  expect(await callsOf(integrationId, '&outcome=begun')).toEqual([]);
  expect((await fixture.api('GET', `/audit-events/${begun?.id}`)).body.event).toEqual(begun);
});

it('each message of a batch has begun, and has ended, as an event', async () => {
  const integrationId = await fixture.integrate();
  const batch = [CALL, { ...CALL, id: 2 }];
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  const answer = send(fixture.urlOf(integrationId), { headers, body: JSON.stringify(batch) });
  const upstream = await fixture.upstream.nextRequest();
  const begun = await callsOf(integrationId);
  expect(begun).toHaveLength(2);
  upstream.respondResult({});
  await (await answer).text();
  await expect.poll(async () => (await callsOf(integrationId))[0]?.outcome).toBe('relayed');
  const ended = await callsOf(integrationId);
  expect(ended.map(({ details }) => details.begun)).toEqual(begun.map(({ id }) => id));
});

it.each([
  ['the first rules', {}],
  ['other rules', { tools: { allow: ['echo'] } }],
])('a call that waits for the audit is judged by %s that are set meanwhile', async (_, before) => {
  const integrationId = await fixture.integrate();
  const policy = `/integrations/${integrationId}/policy`;
  await fixture.api('PUT', policy, before);
  const sent = fixture.upstream.requests.length;
  const events = new EventEmitter();
  const [waiting, stored] = [once(events, 'waiting'), once(events, 'stored')];
  const { origin, close } = await startGateway(fixture.server.store, {
    beginCall() {
      events.emit('waiting');
      return { begun: [], stored: stored.then(() => undefined) };
    },
  });
  onTestFinished(close);
  const calling = send(fixture.urlOf(integrationId, origin));
  await waiting;
  await fixture.api('PUT', policy, { tools: { deny: ['echo'] } });
  events.emit('stored');
  expect(JSON.parse(await (await calling).text())).toMatchObject({ error: { code: -31003 } });
  expect(fixture.upstream.requests).toHaveLength(sent);
});

it('a call that cannot be stored is refused with 503, and its end is recorded later', async () => {
  const integrationId = await fixture.integrate();
  const { store } = fixture.server;
  const sent = fixture.upstream.requests.length;
  const ways = (['statement', 'transaction'] as const).map((way) =>
    vi.spyOn(store, way).mockRejectedValue(new Error('away')),
  );
  const refused = await send(fixture.urlOf(integrationId), { headers: MODERN });
  expect(refused.status).toBe(503);
  expect(JSON.parse(await refused.text()).code).toBe('database_unavailable');
  expect(fixture.upstream.requests).toHaveLength(sent);
  for (const way of ways) way.mockRestore();
  await expect
    .poll(() => outcomesOf(integrationId), {
      timeout: 10_000,
    })
    .toEqual(['refused']);
});
