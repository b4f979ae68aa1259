import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../authorization-server/fixture.ts';
import { startTestProvider } from '../sign-in/external/openid-provider.ts';
import { Browser, givePassword, hiddenFieldsOf, signedInBrowser } from '../support/browser.ts';
import { recordPaths } from '../support/registered-routes.ts';
import { startTestServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import { INPUTS } from './inputs.ts';

/** Percent-encoded. */
const VALUES = [
  '',
  '%00',
  'a%00b',
  '%zz',
  '%FF',
  '%E2%80%AE',
  '..%2F..%2F',
  '__proto__',
  '[]',
  '99999999999999999999',
  'https%3A%2F%2F[%3A%3A1',
  'x'.repeat(4_000),
];

const registered = recordPaths();
const provider = use(() => startTestProvider());
const server = use(() => startTestServer({ externalSignIn: provider.settings }));
let browsers: { readonly browser: Browser; readonly formToken: string }[];

beforeAll(async () => {
  provider.open(`${server.origin}/sign-in/external/callback`);
  await createClient(server, { allowDynamicClients: true });
  const signedIn = await signedInBrowser(server, await givePassword(server.store));
  const stranger = new Browser(server);
  browsers = [
    { browser: signedIn, formToken: await formTokenOf(signedIn, '/account') },
    { browser: stranger, formToken: await formTokenOf(stranger, '/sign-in') },
  ];
});

async function formTokenOf(browser: Browser, page: string): Promise<string> {
  return hiddenFieldsOf((await browser.open(page)).text).form_token ?? '';
}

it('every path outside the management API has its inputs in the table', () => {
  const paths = registered().map(({ path }) => path);
  expect(paths.sort()).toEqual(Object.keys(INPUTS).sort());
});

describe('a method that a path does not have', () => {
  const inputs = Object.values(INPUTS).filter(
    ({ url }) =>
      /^\/(oauth|\.well-known|connect|sign-|account)/.test(url) &&
      !url.endsWith('openid-configuration'),
  );

  it.each(inputs)('is refused at $url with those that it has', async ({ url }) => {
    const path = url.replaceAll('{}', '0190a5c0-0000-7000-8000-00000000000a');
    const { status, headers } = await new Browser(server).send('PATCH', path);
    expect([status, headers.get('allow')]).toEqual([405, expect.stringMatching(/GET|POST/)]);
  });
});

describe('hostile input is never a failure of the server', () => {
  // A stream of seconds.
  const inputs = Object.values(INPUTS).filter(({ url }) => url !== '/healthz/stream');

  it.each(inputs)('in the query of $url', async ({ url, fields }) => {
    for (const value of VALUES) {
      const pairs = fields.map((field) => `${field}=${value}`);
      for (const query of [pairs, [...pairs, ...pairs]]) {
        const path = `${url.replaceAll('{}', value)}?${query.join('&')}`;
        for (const method of ['GET', 'PUT']) await expectNoFailure(method, path);
      }
    }
  });

  it.each(inputs)('in the form of $url', async ({ url, fields }) => {
    for (const value of VALUES) {
      const pairs = fields.map((field) => `${field}=${value}`);
      for (const form of [pairs, [...pairs, ...pairs]]) {
        await expectNoFailure('POST', url.replaceAll('{}', value), form);
      }
    }
  });

  it('in the metadata of a client that registers', async () => {
    const names = VALUES.map((value) => `"${value.replaceAll(/%(..)/g, '\\u00$1')}"`);
    const register = async (body: string): Promise<number> => {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      return (await fetch(`${server.origin}/oauth/register`, init)).status;
    };
    const valid = '"https://app.example/callback"';
    expect(await register(`{"redirect_uris":[${valid}]}`)).toBe(201);
    for (const name of [...names, '"\\ud800"', '1', 'null', '[]', '{}']) {
      for (const redirectUri of [name, valid]) {
        const body = `{"client_name":${name},"redirect_uris":[${redirectUri}]}`;
        expect([body, (await register(body)) < 500]).toEqual([body, true]);
      }
    }
  });
});

/** By a person who is signed in, and by a stranger. A form has the token of our pages. */
async function expectNoFailure(method: string, path: string, form?: string[]): Promise<void> {
  for (const { browser, formToken } of browsers) {
    // Signing out would end the session that the other requests need.
    const token = path.startsWith('/sign-out') ? '' : formToken;
    const init = form && {
      headers: { origin: server.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: [`form_token=${token}`, ...form].join('&'),
    };
    const { status } = await browser.send(method, path, init);
    expect([method, path, form, status < 500]).toEqual([method, path, form, true]);
  }
}
