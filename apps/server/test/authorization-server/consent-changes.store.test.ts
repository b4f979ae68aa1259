import { beforeEach, describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';
import type { Browser } from './browser.ts';
import {
  authorizeParameters,
  createClient,
  createPkce,
  goOn,
  parametersOf,
  REDIRECT_URI,
  signedInBrowser,
  type TestClient,
} from './fixture.ts';

const server = useServer();
let client: TestClient;
let browser: Browser;
/** The consent page of a request that the person has not decided. */
let page: string;

beforeEach(async () => {
  client = await createClient(server);
  browser = await signedInBrowser(server);
  page = await openConsent();
});

async function openConsent(): Promise<string> {
  const parameters = parametersOf(authorizeParameters(client, createPkce()));
  const first = await browser.get(`/oauth/authorize?${parameters}`);
  return (await browser.get(first.headers.get('location') ?? '')).text();
}

const applicationId = () => client.clientId;
const settings = () => `/applications/${applicationId()}/oauth`;
const attachment = () => `/applications/${applicationId()}/integrations/${client.integrationId}`;

async function countGrants(): Promise<number> {
  return server.store.db.grant.count({ where: { applicationId: applicationId() } });
}

async function expectRefused(): Promise<void> {
  const response = await browser.submit(page, { decision: 'allow' });
  expect([response.status, response.headers.get('location')]).toEqual([404, null]);
  expect(await response.text()).toContain('no longer open');
  expect(await countGrants()).toBe(0);
  expect(
    await server.store.db.oauthToken.count({ where: { applicationId: applicationId() } }),
  ).toBe(0);
}

describe('while the consent page is open', () => {
  const other = ['https://other.example/callback'];

  it.each<[string, () => Promise<unknown>]>([
    [
      'its redirect URI is removed',
      () => server.call('PATCH', settings(), { body: { redirectUris: other } }),
    ],
    ['the integration is detached', () => server.call('DELETE', attachment())],
    [
      'the application is archived',
      () => server.call('DELETE', `/applications/${applicationId()}`),
    ],
  ])('%s: no grant is made, and nothing is sent to the client', async (_, change) => {
    await change();
    await expectRefused();
  });

  // Not announced: what this process has in memory is stale.
  const byRow = (data: object) => () =>
    server.store.db.application.update({ where: { id: applicationId() }, data });
  it.each<[string, () => Promise<unknown>]>([
    ['the redirect URI', byRow({ redirectUris: other })],
    ['a scope', byRow({ scopes: ['other'] })],
    ['the application', byRow({ archivedAt: new Date() })],
    [
      'the attachment',
      () => server.store.db.attachment.deleteMany({ where: { applicationId: applicationId() } }),
    ],
  ])('%s goes away just before the write, which finds it gone', async (_, change) => {
    await change();
    await expectRefused();
  });
});

describe('a decision that is sent eight times at once', () => {
  const eight = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, send));

  it('gives one grant and one code', async () => {
    const answers = await eight(() => browser.submit(page, { decision: 'allow' }));
    const locations = new Set(answers.map(({ headers }) => headers.get('location')));
    expect(locations.size).toBe(1);
    expect(await countGrants()).toBe(1);
    const [location] = locations;
    const backs = await eight(() => browser.get(location ?? ''));
    const codes = backs.filter(({ headers }) =>
      headers.get('location')?.startsWith(`${REDIRECT_URI}?code=`),
    );
    expect(codes).toHaveLength(1);
    const late = await browser.submit(page, { decision: 'allow' });
    expect([late.status, await countGrants()]).toEqual([404, 1]);
  });

  it('counts once: a person who allows is not denied by a second press', async () => {
    const allowed = await browser.submit(page, { decision: 'allow' });
    const denied = await browser.submit(page, { decision: 'deny' });
    expect(denied.headers.get('location')).toBe(allowed.headers.get('location'));
    expect((await goOn(server, browser, denied)).get('code')).not.toBeNull();
  });
});
