import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { expect, it } from 'vitest';
import {
  authorizeParameters,
  createClient,
  createPkce,
  parametersOf,
  redeemParameters,
  requestToken,
  type TestClient,
} from '../authorization-server/fixture.ts';
import { useServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import {
  arrive,
  connectionsOf,
  createMember,
  type Member,
  type Shown,
  shownOf,
} from './fixture.ts';

/* After consent, a person connects what is missing at its provider, and then returns with the code. */

const server = useServer();
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));

async function createOauthClient(): Promise<TestClient> {
  const client = await createClient(server, { authMode: 'oauth', url: upstream.url });
  const body = { oauth: { scopes: ['read'] } };
  await server.call('PATCH', `/integrations/${client.integrationId}`, { body });
  return client;
}

interface Place extends Shown {
  readonly path: string;
  readonly left: URLSearchParams | undefined;
}

async function follow({ browser }: Member, first: Response): Promise<Place> {
  let response = first;
  for (let step = 0; step < 8; step += 1) {
    const location = response.headers.get('location');
    if (location === null) {
      const path = new URL(response.url).pathname;
      return { ...(await shownOf(response)), path, left: undefined };
    }
    const url = new URL(location, server.origin);
    if (url.origin !== server.origin) {
      const none = { status: 303, text: '', title: '', refresh: undefined, path: '' };
      return { ...none, left: url.searchParams };
    }
    response = await browser.get(url.href);
  }
  throw new Error('The redirects do not end.');
}

/** To the page that asks for the connection. */
async function allow(member: Member, client: TestClient, pkce = createPkce()): Promise<Place> {
  const parameters = parametersOf(authorizeParameters(client, pkce));
  const first = await member.browser.get(`/oauth/authorize?${parameters}`);
  const { text } = await follow(member, first);
  return follow(member, await member.browser.submit(text, { decision: 'allow' }));
}

it('a person connects at the provider between consent and code', async () => {
  const [member, client, pkce] = [
    await createMember(server),
    await createOauthClient(),
    createPkce(),
  ];
  const page = await allow(member, client, pkce);
  expect(page.path).toMatch(/\/connect$/);
  expect(page.text).toContain('<strong>Docs</strong> with your own account');
  const response = await member.browser.submit(page.text, { decision: 'connect' });
  const callback = await provider.approve(response.headers.get('location') ?? '');
  const back = await arrive(member, callback);
  expect(back.refresh).toBe(page.path);
  const { left } = await follow(member, await member.browser.get(back.refresh ?? ''));
  const redeem = redeemParameters(client, pkce, left?.get('code') ?? '');
  expect((await requestToken(server, redeem)).status).toBe(200);
  expect(await connectionsOf(server, member)).toMatchObject([{ mode: 'oauth' }]);
});

it('"Later" returns with the code and connects nothing', async () => {
  const [member, client] = [await createMember(server), await createOauthClient()];
  const page = await allow(member, client);
  const submitted = await member.browser.submit(page.text, { decision: 'later' });
  expect((await follow(member, submitted)).left?.has('code')).toBe(true);
  expect(await connectionsOf(server, member)).toEqual([]);
});

it('a person who declines at the provider comes back to the same step', async () => {
  const [member, client] = [await createMember(server), await createOauthClient()];
  const page = await allow(member, client);
  const response = await member.browser.submit(page.text, { decision: 'connect' });
  const url = response.headers.get('location') ?? '';
  const callback = await provider.approve(url, { decision: 'deny' });
  const refused = await arrive(member, callback);
  expect([refused.status, refused.text.includes(`href="${page.path}"`)]).toEqual([403, true]);
  expect((await shownOf(await member.browser.get(page.path))).title).toBe('Connect Docs');
});

it('a person can choose "Later" although the provider does not answer', async () => {
  const [member, client] = [await createMember(server), await createOauthClient()];
  const fault = provider.fault('metadata', { kind: 'status', status: 503 });
  const page = await allow(member, client);
  fault.clear();
  expect(page.text).toContain('The provider cannot be used now');
  const submitted = await member.browser.submit(page.text, { decision: 'later' });
  expect((await follow(member, submitted)).left?.has('code')).toBe(true);
});
