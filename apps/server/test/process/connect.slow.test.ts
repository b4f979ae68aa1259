import type { LaunchedGatehouse } from '@gatehouse/harness';
import { type IdentityProvider, startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { beforeAll, expect, test, vi } from 'vitest';
import { type Answer, Browser, hiddenFieldsOf, PASSWORD } from '../support/browser.ts';
import { use } from '../support/use.ts';
import { type Api, createApi } from './support/api.ts';
import { whoami } from './support/connected-people.ts';
import { noteSecret } from './support/logs.ts';
import { addMember, createRoute, type TestMember, type TestRoute } from './support/routes.ts';
import { startServer } from './support/servers.ts';

vi.setConfig({ testTimeout: 240_000 });

const users = [{ sub: 'person-1', email: 'person-1@example.com', name: 'Person 1' }];
const provider = use(() => startIdentityProvider({ users }));
const upstream = use(() => startUpstream({ oauth: provider }));
let server: LaunchedGatehouse;
let api: Api;

beforeAll(async () => {
  server = await startServer({ env: { GATEHOUSE_LOG_LEVEL: 'trace' } });
  api = createApi(server);
});

// What the server wrote is searched for all of it when this file has ended.
test('a person connects an account, and what is secret about it is in no log, whatever goes wrong', async () => {
  const oauth = { scopes: [] };
  const route = await createRoute(api, { url: upstream.url, authMode: 'oauth', oauth });
  const member = await addMember(api);
  const browser = await signIn(member);

  const refused = await leave(browser, await linkOf(route, member));
  const state = refused.searchParams.get('state') ?? '';
  const iss = provider.issuer;
  await comeBack(
    browser,
    answerOf(route, { code: 'a-code-that-the-provider-never-gave', state, iss }),
    400,
  );
  await comeBack(
    browser,
    answerOf(route, { code: 'another-code-that-was-never-given', state, iss }),
    400,
  );

  const mixedUp = await leave(browser, await linkOf(route, member));
  const misnamed = await agree(mixedUp);
  misnamed.searchParams.set('iss', 'https://another.example');
  await comeBack(browser, misnamed, 400);

  const broken = await leave(browser, await linkOf(route, member));
  const fault = provider.fault('token', { kind: 'html' });
  await comeBack(browser, await agree(broken), 503);
  fault.clear();

  const answer = await agree(await leave(browser, await linkOf(route, member)));
  const last = await comeBack(browser, answer, 200);
  expect(last.text).toContain('Connected as person-1');
  expect(await whoami(server, route, member)).toEqual({ sub: 'person-1' });
  const connection = `/integrations/${route.integrationId}/connection`;
  await api.expect(204, 'DELETE', connection, { token: member.token });
  await expect.poll(() => provider.requests('revocation').length).toBeGreaterThan(0);

  noteSecretsOf(provider, browser);
});

/** The cookies, and all that went to the provider and came from it. */
function noteSecretsOf(identityProvider: IdentityProvider, browser: Browser): void {
  const issued = identityProvider.issuedSecrets();
  expect(issued.length).toBeGreaterThan(4);
  for (const secret of issued) noteSecret('a secret of the provider', secret);
  for (const { form } of identityProvider.requests('token')) {
    noteSecret('a code', form.get('code') ?? '');
    noteSecret('a code verifier', form.get('code_verifier') ?? '');
  }
  for (const [name, value] of browser.cookies) noteSecret(`the cookie ${name}`, value);
}

async function signIn({ id }: TestMember): Promise<Browser> {
  const { body } = await api.expect(201, 'POST', `/members/${id}/sign-in-link`);
  const { pathname } = new URL(body.url);
  noteSecret('a sign-in link', pathname);
  const browser = new Browser(server);
  const chosen = await browser.submit(pathname, { password: PASSWORD, repeated: PASSWORD });
  expect(chosen.status, chosen.text).toBe(303);
  return browser;
}

/** The path of a link to connect with. */
async function linkOf({ integrationId }: TestRoute, { token }: TestMember): Promise<string> {
  const path = `/integrations/${integrationId}/connection/authorize`;
  const { body } = await api.expect(201, 'POST', path, { token });
  const { pathname } = new URL(body.authorizationUrl);
  noteSecret('a link to connect with', pathname.split('/')[2] ?? '');
  return pathname;
}

/** Goes on to the provider. @returns where it is asked for the account */
async function leave(browser: Browser, path: string): Promise<URL> {
  const { text } = await browser.open(path);
  noteSecret('a form token', hiddenFieldsOf(text).form_token ?? '');
  const left = await browser.submit(path, { decision: 'connect' });
  expect(left.status, left.text).toBe(303);
  const url = new URL(left.headers.get('location') ?? '');
  noteSecret('a state', url.searchParams.get('state') ?? '');
  return url;
}

/** @returns where the provider sends the browser */
function agree(url: URL): Promise<URL> {
  return provider.approve(url, { sub: 'person-1' });
}

function answerOf({ integrationId }: TestRoute, params: Record<string, string>): URL {
  const url = new URL(`/oauth/callback/${integrationId}`, server.origin);
  url.search = String(new URLSearchParams(params));
  return url;
}

/** Opens the callback, and the page to which it leads. */
async function comeBack(browser: Browser, answer: URL, status: number): Promise<Answer> {
  noteSecret('a code', answer.searchParams.get('code') ?? '');
  const callback = await browser.open(answer.pathname + answer.search);
  expect(callback.status, callback.text).toBe(303);
  const shown = await browser.open(callback.headers.get('location') ?? '');
  expect(shown.status, shown.text).toBe(status);
  return shown;
}
