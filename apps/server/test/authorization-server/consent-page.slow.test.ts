import { isBrowserMissing, launchBrowser } from '@gatehouse/harness';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givePassword, PASSWORD, type TestPerson } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import {
  authorizeParameters,
  createClient,
  createPkce,
  parametersOf,
  redeemParameters,
  requestToken,
  type TestClient,
} from './fixture.ts';

type Chromium = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;
type Page = Awaited<ReturnType<Chromium['newPage']>>;

const REDIRECT_URI = 'http://127.0.0.1:9/callback';

/** Where the pictures go; two of them are in the documentation (`npm run docs:pictures`). */
const pictures = process.env.GATEHOUSE_TEST_PICTURES;

const server = useServer();
let chromium: Chromium;
let owner: TestPerson;
let client: TestClient;

/** Sizes change the layout and schemes the colours, and neither changes the other. */
type Look = readonly [keyof typeof SIZES, 'dark' | 'light'];
const LOOKS = [
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const;
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

describe.skipIf(isBrowserMissing())('in a browser', () => {
  beforeAll(async () => {
    chromium = (await launchBrowser()) as Chromium;
    owner = await givePassword(server.store);
    client = await createClient(server, {
      redirectUris: [REDIRECT_URI],
      scopes: ['mcp', 'management:read', 'reports'],
    });
  });
  afterAll(() => chromium?.close());

  async function openBrowser([size, colorScheme]: Look): Promise<Page> {
    // axe is a script, which the pages themselves forbid.
    const context = await chromium.newContext({
      baseURL: server.origin,
      bypassCSP: true,
      viewport: SIZES[size],
      colorScheme,
    });
    return context.newPage();
  }

  async function beginSignIn(
    page: Page,
    pkce: ReturnType<typeof createPkce>,
    of: TestClient = client,
    scope = 'mcp reports',
  ): Promise<void> {
    const parameters = { ...authorizeParameters(of, pkce), redirect_uri: REDIRECT_URI };
    await page.goto(`/oauth/authorize?${parametersOf({ ...parameters, scope, state: 's' })}`);
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/oauth\/consent\//);
  }

  /** The parameters with which the browser goes back; nothing listens there. */
  async function leave(page: Page, button: string): Promise<URLSearchParams> {
    const request = page.waitForRequest((sent) => sent.url().startsWith(REDIRECT_URI));
    await page.getByRole('button', { name: button, exact: true }).click();
    return new URL((await request).url()).searchParams;
  }

  async function violations(page: Page): Promise<unknown> {
    await page.evaluate(axe.source);
    const found = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  }

  it.each(LOOKS)('a person signs in and allows an application: %s, %s', async (...look) => {
    const page = await openBrowser(look);
    const pkce = createPkce();
    await beginSignIn(page, pkce);
    await picture(page, `sign-in-${look.join('-')}`);
    expect(await violations(page)).toEqual([]);
    await signIn(page);
    await picture(page, `consent-${look.join('-')}`);
    expect(await violations(page)).toEqual([]);
    const text = await page.locator('main').textContent();
    for (const told of ['Agent', 'Docs', owner.email, 'this computer', 'reports']) {
      expect(text).toContain(told);
    }
    const { width = 0 } = (await page.locator('main').boundingBox()) ?? {};
    expect(width).toBeLessThanOrEqual(SIZES[look[0]].width);
    const back = await leave(page, 'Allow');
    const redeem = redeemParameters(client, pkce, back.get('code') ?? '');
    const answer = await requestToken(server, { ...redeem, redirect_uri: REDIRECT_URI });
    expect(answer).toMatchObject({ status: 200, body: { scope: 'mcp reports' } });
  });

  it('a person declines', async () => {
    const page = await openBrowser(['phone', 'light']);
    await beginSignIn(page, createPkce(), client, 'mcp');
    await signIn(page);
    await picture(page, 'consent');
    const back = await leave(page, 'Do not allow');
    expect(Object.fromEntries(back)).toMatchObject({ error: 'access_denied', state: 's' });
  });

  it('a person decides by keyboard alone', async () => {
    const page = await openBrowser(['desktop', 'light']);
    await beginSignIn(page, createPkce());
    await signIn(page);
    const request = page.waitForRequest((sent) => sent.url().startsWith(REDIRECT_URI));
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate('document.activeElement.textContent');
      if (focused === 'Allow') break;
    }
    await page.keyboard.press('Enter');
    expect(new URL((await request).url()).searchParams.get('code')).toMatch(/^gh_ac_/);
  });

  it.each(LOOKS)('the pages around it have no violation: %s, %s', async (...look) => {
    const personal = await createClient(server, {
      redirectUris: [REDIRECT_URI],
      scopes: ['mcp', 'reports'],
      authMode: 'user_token',
    });
    const page = await openBrowser(look);
    await beginSignIn(page, createPkce(), personal);
    await signIn(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('button', { name: 'Later' }).waitFor();
    await picture(page, `connect-${look.join('-')}`);
    expect(await violations(page)).toEqual([]);
    await leave(page, 'Later');
    const pages = {
      account: '/account',
      nowhere: '/oauth/consent/none',
      link: '/sign-in/link/none',
    };
    for (const [name, path] of Object.entries(pages)) {
      const other = await page.context().newPage();
      await other.goto(path);
      await picture(other, `${name}-${look.join('-')}`);
      expect(await violations(other)).toEqual([]);
    }
  });

  it('a page about a wrong client says what to do', async () => {
    const page = await openBrowser(['phone', 'dark']);
    await page.goto(
      '/oauth/authorize?client_id=nobody&redirect_uri=https://a.example/&response_type=code',
    );
    await picture(page, 'error-phone-dark');
    expect(await violations(page)).toEqual([]);
    expect(await page.locator('main').textContent()).toContain('client id');
  });
});
