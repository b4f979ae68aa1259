import { expect, it } from 'vitest';
import { givePassword, PASSWORD } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { Browser } from './browser.ts';
import {
  authorizeParameters,
  createClient,
  createPkce,
  goOn,
  parametersOf,
  redeemParameters,
  requestToken,
} from './fixture.ts';

const server = useServer();

/** Follows redirects up to a page. */
async function open(browser: Browser, url: string): Promise<{ url: string; page: string }> {
  const response = await browser.get(url);
  const location = response.headers.get('location');
  if (location !== null) return open(browser, new URL(location, server.origin).href);
  return { url, page: await response.text() };
}

it('a person who is not signed in signs in first, and returns to the same request', async () => {
  const { email } = await givePassword(server.store);
  const client = await createClient(server);
  const pkce = createPkce();
  const asked = parametersOf({ ...authorizeParameters(client, pkce), state: 's' });
  const browser = new Browser(server.origin);
  const { url, page } = await open(browser, `${server.origin}/oauth/authorize?${asked}`);
  expect(new URL(url).pathname).toBe('/sign-in');

  const wrong = await browser.submit(page, { email, password: 'not the password' });
  expect(wrong.status).toBe(403);
  const signedIn = await browser.submit(await wrong.text(), { email, password: PASSWORD });
  const [, next = ''] = /href="(\/oauth\/consent\/[^"]*)"/.exec(await signedIn.text()) ?? [];
  const back = await goOn(server, browser, await browser.get(next));
  expect(back.get('state')).toBe('s');
  const redeem = redeemParameters(client, pkce, back.get('code') ?? '');
  expect((await requestToken(server, redeem)).body.access_token).toMatch(/^gh_at_/);
});
