import { expect, it } from 'vitest';
import { CALL, clientOf, MODERN, useFixture } from './fixture.ts';

const fixture = useFixture();
const send = clientOf(() => fixture.server.owner);

/** The newest events of calls to an integration, once there are that many. */
async function callsOf(integrationId: string, count: number) {
  const path = `/audit-events?kind=call&integrationId=${integrationId}`;
  await expect
    .poll(async () => (await fixture.api('GET', path)).body.items.length, { timeout: 10_000 })
    .toBe(count);
  return (await fixture.api('GET', path)).body.items;
}

it('a call is an event with who, through what, to what and how it went', async () => {
  const { user } = (await fixture.api('GET', '/me')).body;
  const integrationId = await fixture.integrate({ name: 'Issues' });
  const headers = { ...MODERN, 'x-request-id': 'from-the-client' };
  const answer = send(fixture.urlOf(integrationId), { headers });
  (await fixture.upstream.nextRequest()).respondResult({ secret: 'of the result' });
  const { length: bytesOut } = await (await answer).text();
  const events = await callsOf(integrationId, 1);
  expect(events).toEqual([
    {
      id: expect.any(String),
      kind: 'call',
      at: expect.any(String),
      action: 'call',
      actor: {
        kind: 'person',
        id: user.id,
        name: user.name,
        via: { kind: 'personal_token', id: expect.any(String) },
      },
      target: { kind: 'integration', id: integrationId, name: 'Issues' },
      outcome: 'relayed',
      requestId: 'from-the-client',
      address: '127.0.0.1',
      details: {
        applicationId: fixture.applicationId,
        integrationId,
        userId: user.id,
        sessionId: expect.any(String),
        httpMethod: 'POST',
        method: 'tools/call',
        name: 'echo',
        uri: null,
        credential: 'none',
        status: 200,
        reasons: [],
        ms: expect.any(Number),
        bytesIn: JSON.stringify(CALL).length,
        bytesOut,
      },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain('of the result');
});

it('a call that a rule refuses is an event with the reasons', async () => {
  const integrationId = await fixture.integrate();
  const path = `/applications/${fixture.applicationId}/integrations/${integrationId}/policy`;
  await fixture.api('PUT', path, { tools: { deny: ['echo'] } });
  await (await send(fixture.urlOf(integrationId), { headers: MODERN })).text();
  const [event] = await callsOf(integrationId, 1);
  expect(event).toMatchObject({
    outcome: 'policy',
    details: { method: 'tools/call', name: 'echo' },
  });
  expect(event.details.reasons).not.toEqual([]);
});

it('a call without a valid token is no event', async () => {
  const integrationId = await fixture.integrate();
  const stranger = clientOf(() => 'unknown'.repeat(8));
  expect((await stranger(fixture.urlOf(integrationId), { headers: MODERN })).status).toBe(401);
  await (await send(fixture.urlOf(integrationId), { method: 'GET' })).text();
  const events = await callsOf(integrationId, 1);
  expect(events).toMatchObject([{ details: { httpMethod: 'GET', method: null } }]);
});
