import { Gatehouse } from '@gatehouse/sdk';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { setupMockGatehouse } from '../src/node.ts';

const { gatehouse: mocks, server } = setupMockGatehouse();
const { fixtures, tokens } = mocks;
const owner = new Gatehouse({
  baseUrl: mocks.baseUrl,
  accessToken: tokens.owner,
  logLevel: 'off',
});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => mocks.reset());
afterAll(() => server.close());

type Filter = NonNullable<Parameters<typeof owner.request<'GET', '/audit-events'>>[2]>['query'];

const read = async (query: Filter = {}) =>
  (await owner.request('GET', '/audit-events', { query })).items;
const actionsOf = async (query: Filter = {}) => (await read(query)).map(({ action }) => action);

it('has what requests change, and not what a test puts in place', async () => {
  const { id } = fixtures.addIntegration();
  expect(await actionsOf()).toEqual(['audit.read']);
  await owner.integrations.archive(id);
  expect(await actionsOf()).toEqual(['integration.archived', 'audit.read']);
  mocks.reset();
  expect(await actionsOf()).toEqual(['audit.read']);
});

it('has the link by which a person connects, its use, and the connection', async () => {
  const { id } = fixtures.addIntegration({
    authMode: 'oauth',
    oauth: { issuer: 'https://id.example.com' },
  });
  const { user } = await owner.me();
  const params = { id };
  const path = '/integrations/:id/connection/authorize';
  const { authorizationUrl } = await owner.request('POST', path, { params });
  await fetch(authorizationUrl);
  await fetch(authorizationUrl);
  expect(await read({ integrationId: id })).toMatchObject([
    {
      action: 'connection.created',
      actor: { id: user.id, name: user.name, via: { kind: 'sign_in', id: null } },
      target: { id: `${id}:${user.id}`, name: 'Issue tracker' },
      details: { mode: 'oauth' },
    },
    { action: 'connection.link_used', details: { decision: 'connect' } },
    { action: 'connection.link_created', actor: { via: { kind: 'personal_token' } } },
  ]);
  expect(JSON.stringify(await read({}))).not.toContain(authorizationUrl.split('/').at(-1));
});

it('lists calls that a test adds among the changes, by when they ended', async () => {
  const integrationId = fixtures.addIntegration().id;
  const applicationId = fixtures.addApplication().application.id;
  const { id: userId } = fixtures.addMember('member');
  const place = { applicationId, integrationId };
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const denied = { outcome: 'policy', reasons: ['tool_denied'], name: 'delete_all' };
  const refused = fixtures.addCallEvent({ ...place, ...denied, at: at(2) });
  const listed = fixtures.addCallEvent({ ...place, method: 'tools/list', userId, at: at(1) });
  const called = fixtures.addCallEvent({ ...place, name: 'search', userId: null, at: at(3) });
  expect(await read({ kind: 'call' })).toEqual([listed, refused, called]);
  expect(await actionsOf()).toEqual(['audit.read', 'audit.read', 'call', 'call', 'call']);
  expect(await read({ outcome: 'policy' })).toEqual([refused]);
  expect(await read({ tool: 'search' })).toEqual([called]);
  expect(await read({ method: 'tools/list' })).toEqual([listed]);
  expect(await read({ userId })).toEqual([listed]);
  expect(await read({ actorId: applicationId })).toEqual([called]);
  expect(await read({ applicationId, integrationId, to: at(1.5) })).toEqual([refused, called]);
  expect(refused).toMatchObject({
    actor: { kind: 'person', name: 'The owner', via: { kind: 'grant' } },
    target: { kind: 'integration', id: integrationId, name: 'Issue tracker' },
    details: { reasons: ['tool_denied'], name: 'delete_all', method: 'tools/call', ms: 40 },
  });
});

it('keeps the 5,000 events that were added last', async () => {
  const integrationId = fixtures.addIntegration().id;
  const applicationId = fixtures.addApplication().application.id;
  const add = () => fixtures.addCallEvent({ applicationId, integrationId });
  const first = add();
  const second = add();
  for (let n = 0; n < 4_998; n += 1) add();
  const get = (id: string) => owner.request('GET', '/audit-events/:id', { params: { id } });
  // Reading leaves an event, which takes the place of the first.
  await expect(get(first.id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await get(second.id)).event).toEqual(second);
});

it('tells after ten minutes again that a person reads it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const count = async () => (await read({ action: 'audit.read' })).length;
  expect([await count(), await count()]).toEqual([1, 1]);
  vi.setSystemTime(Date.now() + 10 * 60_000);
  expect(await count()).toBe(2);
});
