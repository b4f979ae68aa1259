import type { ManagementAction } from '@gatehouse/contract';
import type { IdentityProvider, Upstream } from '@gatehouse/testing';
import { expect } from 'vitest';
import {
  authorizeParameters,
  type ClientOptions,
  createClient,
  createPkce,
  parametersOf,
  REDIRECT_URI,
  redeemParameters,
  type TestClient,
} from '../../authorization-server/fixture.ts';
import { addWorker, connect, tokenForPerson } from '../../resources/credentials/support.ts';
import type { TestProvider } from '../../sign-in/external/openid-provider.ts';
import { visitProvider } from '../../sign-in/external/visit-provider.ts';
import { type Browser, linkFor, PASSWORD, type TestPerson } from '../../support/browser.ts';
import { insertGrant } from '../../support/grants.ts';
import type { Maker } from './make.ts';

/** A person with a password, who is signed in with a browser. */
export interface Visit extends Maker {
  readonly person: TestPerson;
  readonly browser: Browser;
  /** Of someone who is not signed in. */
  readonly stranger: Browser;
  /** At which people sign in. */
  readonly signIns: TestProvider;
  /** At which they connect accounts. */
  readonly provider: IdentityProvider;
  /** Asks for tokens of the provider. */
  readonly upstream: Upstream;
}

type Headers = Readonly<Record<string, string>>;

/** A request that changes something, and what it records. */
export interface PageWrite {
  send(headers: Headers): Promise<{ readonly status: number }>;
  /** By default of success. */
  readonly status?: number;
  /** In their order; or why there is no event. */
  readonly records: readonly ManagementAction[] | { readonly nothing: string };
  /** By default the person. */
  readonly actor?: { readonly kind: string; readonly id: string | null };
}

type Way = (visit: Visit) => Promise<PageWrite>;

/** How each page that writes is used, in each way that differs. A new page has to be added. */
export const PAGES: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  'POST /sign-in': {
    'with the password': async ({ person: { email }, stranger }) => ({
      send: (headers) => stranger.submit('/sign-in', { email, password: PASSWORD }, { headers }),
      records: ['member.signed_in'],
    }),
    'with another password': async ({ person: { email }, stranger, plant }) => ({
      send: (headers) => stranger.submit('/sign-in', { email, password: plant() }, { headers }),
      status: 403,
      records: ['member.sign_in_failed'],
      actor: { kind: 'unknown', id: null },
    }),
  },
  'POST /sign-in/link/:secret': {
    'to sign in': async ({ server, person, stranger }) => {
      const path = await linkFor(server.store, person, 'sign_in');
      const send = (headers: Headers) => stranger.submit(path, {}, { headers });
      return { send, records: ['member.signed_in'] };
    },
    'to choose a password': async ({ server, person, stranger, plant }) => {
      const path = await linkFor(server.store, person, 'reset');
      const password = plant();
      const send = (headers: Headers) =>
        stranger.submit(path, { password, repeated: password }, { headers });
      return { send, records: ['member.password_set', 'member.signed_in'] };
    },
  },
  'GET /sign-in/external/callback': {
    'for the first time': async (visit) => {
      const send = await comingBack(visit, visit.plant(), visit.email());
      const actor = { kind: 'person', id: expect.any(String) };
      return { send, records: ['member.created', 'member.signed_in'], actor };
    },
    'with the email of a member': async (visit) => ({
      send: await comingBack(visit, visit.plant(), visit.person.email),
      records: ['member.identity_linked', 'member.signed_in'],
    }),
    'of a known person': async (visit) => {
      const account = visit.plant();
      await (await comingBack(visit, account, visit.person.email))({});
      const send = await comingBack(visit, account, visit.person.email);
      return { send, records: ['member.signed_in'] };
    },
  },
  'POST /account/password': {
    'with the present one': async ({ browser, plant }) => {
      const password = plant();
      const fields = { present: PASSWORD, password, repeated: password };
      const to = { action: '/account/password' };
      const send = (headers: Headers) => browser.submit('/account', fields, { ...to, headers });
      return { send, records: ['member.password_set', 'member.signed_in'] };
    },
  },
  'POST /sign-out': {
    here: async ({ browser }) => ({
      send: (headers) => browser.submit('/account', {}, { action: '/sign-out', headers }),
      records: ['member.signed_out'],
    }),
    everywhere: async ({ browser }) => ({
      send: (headers) =>
        browser.submit('/account', { everywhere: '1' }, { action: '/sign-out', headers }),
      records: ['member.signed_out'],
    }),
  },
  'POST /account/grants/:id/end': {
    'of a person': async ({ server, application, person: { id: userId }, browser }) => {
      const { id } = await insertGrant(server, await application(), { userId });
      const to = { action: `/account/grants/${id}/end` };
      const send = (headers: Headers) => browser.submit('/account', {}, { ...to, headers });
      return { send, records: ['grant.ended'] };
    },
  },
  'POST /connect': {
    'to give a credential': async (visit) => ({
      send: await decideAt(visit, await userTokenPage(visit), credential(visit)),
      records: ['connection.created'],
    }),
    'to disconnect': async (visit) => {
      const page = await userTokenPage(visit);
      await (await decideAt(visit, page, credential(visit)))({});
      return {
        send: await decideAt(visit, page, { decision: 'disconnect' }),
        records: ['connection.removed'],
      };
    },
    'to let an application use one more integration': async (visit) => {
      const { server, person } = visit;
      const { clientId, integrationId } = await createClient(server, { authMode: 'user_token' });
      const resources = [`${server.origin}/mcp/${clientId}`];
      const { id } = await insertGrant(server, clientId, { userId: person.id, resources });
      const page = `${pageOf(integrationId)}&grant=${id}`;
      return {
        send: await decideAt(visit, page, { decision: 'allow' }),
        records: ['grant.extended'],
      };
    },
    'to go to the provider': async (visit) => ({
      send: await decideAt(visit, pageOf(await oauthIntegration(visit)), { decision: 'connect' }),
      records: { nothing: 'What comes of it is an event when they come back.' },
    }),
  },
  'POST /connect/:secret': {
    'to go to the provider': async (visit) => ({
      send: await decideAt(visit, await connectLink(visit), { decision: 'connect' }),
      records: ['connection.link_used'],
    }),
    'to leave it': async (visit) => ({
      send: await decideAt(visit, await connectLink(visit), { decision: 'cancel' }),
      records: ['connection.link_used'],
    }),
  },
  'GET /oauth/callback/:integrationId': {
    'with an account': async (visit) => {
      const { browser, provider } = visit;
      const page = pageOf(await oauthIntegration(visit));
      const { headers } = await browser.submit(page, { decision: 'connect' }, { action: page });
      const { pathname, search } = await provider.approve(new URL(headers.get('location') ?? ''));
      const send = (named: Headers) => browser.send('GET', pathname + search, { headers: named });
      return { send, records: ['connection.created'] };
    },
  },
  'POST /oauth/consent/:uid': {
    'to allow': async (visit) => ({
      send: await decideAt(visit, await consentPage(visit), { decision: 'allow' }),
      records: ['grant.created'],
    }),
    'to let dynamic clients use the application': async (visit) => {
      await visit.ok(`PATCH /members/${visit.person.id}`, { role: 'admin' });
      const client = await createClient(visit.server);
      const { client_id: clientId } = JSON.parse((await registerClient(visit, {})).text);
      const asking = { ...client, clientId };
      const { pathname } = await authorizing(visit, asking, createPkce());
      return {
        send: await decideAt(visit, pathname, { decision: 'allow_dynamic_clients' }),
        records: ['application.updated'],
      };
    },
    'to deny': async (visit) => ({
      send: await decideAt(visit, await consentPage(visit), { decision: 'deny' }),
      records: { nothing: 'Nobody gets anything.' },
    }),
  },
  'POST /oauth/consent/:uid/connect': {
    'to give a credential': async (visit) => {
      const consent = await consentPage(visit, { authMode: 'user_token' });
      await (await decideAt(visit, consent, { decision: 'allow' }))({});
      return {
        send: await decideAt(visit, `${consent}/connect`, credential(visit)),
        records: ['connection.created', 'grant.created'],
      };
    },
  },
  'POST /oauth/register': {
    'of a client': async (visit) => ({
      send: (headers) => registerClient(visit, headers),
      records: { nothing: 'A client may do nothing before a person agrees, which is an event.' },
    }),
  },
  'POST /oauth/token': {
    'with a code': async (visit) => ({
      send: await formTo(visit, '/oauth/token', await codeOf(visit)),
      records: { nothing: 'Tokens grow with traffic: they are events of the kind call.' },
    }),
    'for a credential': async (visit) => {
      const { server, ok, plant } = visit;
      const worker = await addWorker(server);
      await connect(server, worker, { token: plant() });
      const rotated = await ok(`POST /applications/${worker.applicationId}/rotate-secret`);
      const { token, grant } = await tokenForPerson(server, worker);
      const send = await formTo(visit, '/oauth/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: worker.applicationId,
        client_secret: rotated.oauth.clientSecret,
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience: worker.integrationId,
      });
      const actor = { kind: 'person', id: grant.userId };
      return { send, records: ['lease.created'], actor };
    },
  },
  'POST /oauth/revoke': {
    'of a refresh token': async (visit) => {
      const { client_id, refresh_token: token } = await tokensOf(visit);
      const send = await formTo(visit, '/oauth/revoke', { client_id, token });
      return { send, records: ['grant.ended'] };
    },
    'of an access token': async (visit) => {
      const { client_id, access_token: token } = await tokensOf(visit);
      const send = await formTo(visit, '/oauth/revoke', { client_id, token });
      return { send, records: ['token.revoked'] };
    },
    'of an access token of an application': async (visit) => {
      const client = { type: 'confidential', redirectUris: [] } as const;
      const { clientId, clientSecret = '' } = await createClient(visit.server, client);
      const own = { client_id: clientId, client_secret: clientSecret };
      const asked = { grant_type: 'client_credentials', ...own };
      const issued = await (await formTo(visit, '/oauth/token', asked))({});
      const token = JSON.parse(issued.text).access_token;
      const send = await formTo(visit, '/oauth/revoke', { ...own, token });
      return { send, records: ['token.revoked'], actor: { kind: 'application', id: clientId } };
    },
  },
  'POST /oauth/introspect': {
    'of a token': async (visit) => {
      const options = { type: 'confidential', redirectUris: [] } as const;
      const { clientId, clientSecret = '' } = await createClient(visit.server, options);
      const client = { client_id: clientId, client_secret: clientSecret, token: 'unknown' };
      const send = await formTo(visit, '/oauth/introspect', client);
      return { send, records: { nothing: 'It reads, and shows a client its own tokens alone.' } };
    },
  },
  'POST /console/token': {
    'for the management API': async (visit) => ({
      send: (headers) => postAsConsole(visit, '/console/token', {}, headers),
      records: { nothing: 'It is stored nowhere, and works as long as its browser session.' },
    }),
    'for a gateway URL': async (visit) => {
      const [applicationId, integrationId] = await visit.pair();
      const resource = `${visit.server.origin}/mcp/${applicationId}/${integrationId}`;
      const send = (headers: Headers) =>
        postAsConsole(visit, '/console/token', { resource }, headers);
      return { send, records: ['grant.created'] };
    },
  },
  'POST /console/sign-out': {
    here: async (visit) => ({
      send: (headers) => postAsConsole(visit, '/console/sign-out', {}, headers),
      records: ['member.signed_out'],
    }),
  },
};

const pageOf = (integrationId: string) => `/connect?integration=${integrationId}`;

const userTokenPage = async ({ integration }: Visit) =>
  pageOf(await integration({ authMode: 'user_token' }));

const credential = ({ plant }: Visit) => ({ decision: 'save', token: plant() });

const oauthIntegration = ({ integration, upstream }: Visit) =>
  integration({ authMode: 'oauth', url: upstream.url });

/** Opens a page, and sends its form with these fields. */
async function decideAt(
  { browser }: Visit,
  page: string,
  fields: Readonly<Record<string, string>>,
) {
  return (headers: Headers) => browser.submit(page, fields, { action: page, headers });
}

/** Signs in at the provider, up to its redirect. */
async function comingBack({ server, stranger, signIns }: Visit, account: string, email: string) {
  signIns.accounts.set(account, { email, email_verified: true, name: 'Member' });
  const { headers } = await stranger.open('/sign-in/external?return_to=/account');
  const to = headers.get('location') ?? '';
  const { pathname, search } = await visitProvider(signIns, server, to, account);
  return (named: Headers) => stranger.send('GET', pathname + search, { headers: named });
}

/** Registers a client itself, which some application has to allow. */
async function registerClient(visit: Visit, headers: Headers) {
  await createClient(visit.server, { allowDynamicClients: true });
  const body = JSON.stringify({ client_name: 'Client', redirect_uris: [REDIRECT_URI] });
  const type = { 'content-type': 'application/json' };
  return post(visit, '/oauth/register', body, { ...type, ...headers });
}

/** The path of a link that the person has made. */
async function connectLink(visit: Visit): Promise<string> {
  const { server, browser, noteAnswer } = visit;
  const { text } = await postAsConsole(visit, '/console/token', {}, {});
  const id = await oauthIntegration(visit);
  const token = JSON.parse(text).accessToken;
  const path = `/integrations/${id}/connection/authorize`;
  const made = await server.call('POST', path, { token });
  noteAnswer(made.text);
  const { pathname } = new URL(made.body.authorizationUrl);
  await browser.open(pathname);
  return pathname;
}

/** The path of the page on which the person is asked for a client. */
async function consentPage(visit: Visit, options: ClientOptions = {}): Promise<string> {
  const client = await createClient(visit.server, options);
  return (await authorizing(visit, client, createPkce())).pathname;
}

/** Follows an authorization to the first page, or to the client. */
async function authorizing(
  { server, browser }: Visit,
  client: TestClient,
  pkce: ReturnType<typeof createPkce>,
): Promise<URL> {
  const asked = parametersOf(authorizeParameters(client, pkce));
  return follow(server.origin, browser, `/oauth/authorize?${asked}`);
}

async function follow(origin: string, browser: Browser, path: string): Promise<URL> {
  for (let url = new URL(path, origin); ; ) {
    if (url.origin !== origin) return url;
    const { headers } = await browser.open(url.pathname + url.search);
    const to = headers.get('location');
    if (to === null) return url;
    url = new URL(to, origin);
  }
}

/** What redeems a code that the person has allowed. */
async function codeOf(visit: Visit): Promise<Readonly<Record<string, string>>> {
  const { server, browser } = visit;
  const [client, pkce] = [await createClient(server), createPkce()];
  const page = await authorizing(visit, client, pkce);
  const { headers } = await browser.submit(page.pathname, { decision: 'allow' });
  const back = await follow(server.origin, browser, headers.get('location') ?? '');
  const code = back.searchParams.get('code') ?? '';
  const { client_secret: _, ...redeem } = redeemParameters(client, pkce, code);
  return redeem as Readonly<Record<string, string>>;
}

async function tokensOf(visit: Visit) {
  const redeem = await codeOf(visit);
  const { text } = await (await formTo(visit, '/oauth/token', redeem))({});
  visit.noteAnswer(text);
  return { ...JSON.parse(text), client_id: redeem.client_id };
}

/** Sends a form as a program does. */
async function formTo(visit: Visit, path: string, fields: Readonly<Record<string, string>>) {
  return (headers: Headers) => post(visit, path, new URLSearchParams(fields), headers);
}

async function post(
  { server }: Visit,
  path: string,
  body: string | URLSearchParams,
  headers: Headers,
) {
  const response = await fetch(server.origin + path, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

function postAsConsole({ server, browser }: Visit, path: string, body: object, headers: Headers) {
  const own = { origin: server.origin, 'content-type': 'application/json' };
  return browser.send('POST', path, {
    headers: { ...own, ...headers },
    body: JSON.stringify(body),
  });
}
