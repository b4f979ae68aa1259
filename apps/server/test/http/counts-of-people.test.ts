import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { beforeAll, expect, it } from 'vitest';
import {
  authorize,
  authorizeParameters,
  createClient,
  createPkce,
  signedInBrowser,
} from '../authorization-server/fixture.ts';
import { connect, createIntegration, createMember, leave, pageOf } from '../connect/fixture.ts';
import { startTestProvider } from '../sign-in/external/openid-provider.ts';
import {
  Browser,
  givePassword,
  hiddenFieldsOf,
  linkFor,
  PASSWORD,
  type TestPerson,
} from '../support/browser.ts';
import { valueIn } from '../support/exposition.ts';
import { startTestServer } from '../support/server.ts';
import { use } from '../support/use.ts';

/** It has been set up and is not open, so it fails. */
const openidProvider = use(() => startTestProvider());
const server = use(() => startTestServer({ externalSignIn: openidProvider.settings }));
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));
let owner: TestPerson;

beforeAll(async () => {
  owner = await givePassword(server.store);
});

async function values(...samples: readonly string[]): Promise<(number | undefined)[]> {
  const headers = { authorization: `Bearer ${server.owner}` };
  const text = await (await fetch(`${server.origin}/metrics`, { headers })).text();
  return samples.map((sample) => valueIn(text, sample));
}

it('sign-ins are counted by way and outcome', async () => {
  await new Browser(server).signIn(owner.email, PASSWORD);
  await new Browser(server).signIn(owner.email, 'not the password');
  const path = await linkFor(server.store, owner, 'sign_in');
  const browsers = [new Browser(server), new Browser(server)];
  const forms = await Promise.all(browsers.map((browser) => browser.open(path)));
  for (const [index, { text }] of forms.entries()) {
    await browsers[index]?.post(path, hiddenFieldsOf(text));
  }
  await new Browser(server).open('/sign-in/external');
  const ways = ['password', 'link', 'provider'];
  const samples = ways.flatMap((way) =>
    ['signed_in', 'refused'].map(
      (outcome) => `gatehouse_sign_ins_total{way="${way}",outcome="${outcome}"}`,
    ),
  );
  expect(await values(...samples)).toEqual([1, 1, 1, 1, 0, 1]);
});

it('consents are counted by outcome', async () => {
  const client = await createClient(server);
  const browser = await signedInBrowser(server);
  const parameters = authorizeParameters(client, createPkce());
  await authorize(server, browser, parameters, 'deny');
  await authorize(server, browser, parameters);
  await authorize(server, browser, parameters);
  const samples = ['allowed', 'remembered', 'denied'].map(
    (outcome) => `gatehouse_consents_total{outcome="${outcome}"}`,
  );
  expect(await values(...samples)).toEqual([1, 1, 1]);
});

it('returns from a provider are counted by outcome', async () => {
  const member = await createMember(server);
  const id = await createIntegration(server, { url: upstream.url, oauth: { scopes: ['read'] } });
  const state = (await leave(member, pageOf(id))).searchParams.get('state') ?? '';
  const denial = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
  await member.browser.get(`/oauth/callback/${id}?${denial}`);
  expect((await connect(member, provider, pageOf(id))).status).toBe(200);
  const samples = ['connected', 'denied', 'failed'].map(
    (outcome) => `gatehouse_oauth_connects_total{outcome="${outcome}"}`,
  );
  expect(await values(...samples)).toEqual([1, 1, 0]);
});
