import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MockDiscovery } from '../src/index.ts';
import { setupMockGatehouse } from '../src/node.ts';

const APP = 'https://app.example.com';
const { gatehouse: mocks, server } = setupMockGatehouse({
  baseUrl: 'https://gatehouse.example.com',
  allowedOrigins: [APP],
});
const { fixtures, tokens, baseUrl } = mocks;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  vi.useRealTimers();
  mocks.reset();
});
afterAll(() => server.close());

const call = async (method: string, path: string, body?: object, token = tokens.member) => {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.status === 204 ? undefined : response.json();
};
const open = (url: string) => fetch(url, { redirect: 'manual' });
const addIntegration = () =>
  fixtures.addIntegration({ authMode: 'oauth', oauth: { issuer: 'https://id.example.com' } }).id;
const connectionOf = async (id: string) =>
  (await call('GET', `/integrations/${id}/connection`)).connection;
const linkOf = async (id: string, body?: object): Promise<string> =>
  (await call('POST', `/integrations/${id}/connection/authorize`, body)).authorizationUrl;

describe('the link of an authorization', () => {
  it('connects when it is opened, and then no longer works', async () => {
    const id = addIntegration();
    const link = await linkOf(id);
    expect(await connectionOf(id)).toEqual({ connected: false, status: 'disconnected' });
    const page = await open(link);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('You are connected.'),
    ]);
    expect(await connectionOf(id)).toEqual({ connected: true, status: 'connected' });
    expect((await open(link)).status).toBe(404);
  });

  it('sends the browser back, and stores what the test has set', async () => {
    const id = addIntegration();
    mocks.setConnectOutcome(id, { status: 'connected', displayName: 'ada' });
    const response = await open(await linkOf(id, { returnTo: `${APP}/#done` }));
    expect([response.status, response.headers.get('location')]).toEqual([303, `${APP}/#done`]);
    expect(await connectionOf(id)).toMatchObject({ connected: true, displayName: 'ada' });
  });

  it('can be refused by the user', async () => {
    const id = addIntegration();
    mocks.setConnectOutcome(id, { status: 'denied' });
    const link = await linkOf(id);
    expect(await (await open(link)).text()).toContain('You are not connected');
    expect((await connectionOf(id)).connected).toBe(false);
    expect((await open(link)).status).toBe(404);
  });

  it('can be left open, and opened again later', async () => {
    const id = addIntegration();
    mocks.setConnectOutcome(id, { status: 'pending' });
    const link = await linkOf(id);
    await open(link);
    expect((await connectionOf(id)).connected).toBe(false);
    mocks.setConnectOutcome(id, undefined);
    await open(link);
    expect((await connectionOf(id)).connected).toBe(true);
  });

  it('does nothing after ten minutes, and nothing for another mode', async () => {
    const id = addIntegration();
    const [late, other] = [await linkOf(id), await linkOf(id)];
    vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ['Date'] });
    expect((await open(late)).status).toBe(404);
    vi.useRealTimers();
    await call('PATCH', `/integrations/${id}`, { authMode: 'none' }, tokens.owner);
    expect((await open(other)).status).toBe(404);
  });
});

describe('an OAuth connection that is disconnected', () => {
  it('reports the revocation until the user connects again', async () => {
    const id = addIntegration();
    await open(await linkOf(id));
    await call('DELETE', `/integrations/${id}/connection`);
    expect(await connectionOf(id)).toEqual({
      connected: false,
      status: 'disconnected',
      revocation: { status: 'revoked', at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    await open(await linkOf(id));
    expect(await connectionOf(id)).toEqual({ connected: true, status: 'connected' });
  });

  it('reports no revocation where a token was entered', async () => {
    const { id } = fixtures.addIntegration({ authMode: 'user_token' });
    await call('POST', `/integrations/${id}/connection`, { token: 'x' });
    await call('DELETE', `/integrations/${id}/connection`);
    expect(await connectionOf(id)).toEqual({ connected: false, status: 'disconnected' });
  });
});

it('a grant that is no longer renewed is connected and needs a new sign-in', async () => {
  const id = addIntegration();
  const { user } = await call('GET', '/me');
  fixtures.addConnection({ integrationId: id, userId: user.id, reason: 'needs_reauth' });
  expect(await connectionOf(id)).toEqual({
    connected: true,
    status: 'connected',
    reason: 'needs_reauth',
  });
  const tested = await call('POST', `/integrations/${id}/connection/test`);
  expect(tested.status).toBe('invalid');
});

it('setConnectionTest decides what a test of a connection answers', async () => {
  const { id } = fixtures.addIntegration({ authMode: 'user_token' });
  const line = `/integrations/${id}/connection/test`;
  mocks.setConnectionTest(id, { status: 'invalid', message: 'Refused.' });
  expect(await call('POST', line)).toMatchObject({ status: 'invalid', message: 'Refused.' });
  mocks.setConnectionTest(id, undefined);
  expect((await call('POST', line)).status).toBe('pending');
});

it('setDiscovery decides what is found at a URL', async () => {
  const url = 'https://tracker.example.com/mcp';
  const found: MockDiscovery = {
    discovery: {
      name: 'Tracker',
      era: 'modern',
      authentication: 'oauth',
      provider: null,
      issuer: 'https://id.example.com',
      scopes: ['read'],
      registration: ['dynamic'],
    },
    integration: { name: 'Tracker', url, authMode: 'oauth' },
    status: 'pending',
    message: 'It asks for OAuth.',
  };
  const discover = () => call('POST', '/integrations/discover', { url }, tokens.owner);
  expect(await discover()).toMatchObject({ integration: { authMode: 'none' } });
  mocks.setDiscovery(url, found);
  expect(await discover()).toMatchObject(found);
});
