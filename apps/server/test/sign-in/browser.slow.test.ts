import { isBrowserMissing, launchBrowser } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givePassword, linkFor, PASSWORD, type TestPerson } from '../support/browser.ts';
import { useServer } from '../support/server.ts';

type Chromium = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;
type Page = Awaited<ReturnType<Chromium['newPage']>>;

const server = useServer();
let chromium: Chromium;
let owner: TestPerson;

describe.skipIf(isBrowserMissing())('in a browser without scripts', () => {
  beforeAll(async () => {
    chromium = (await launchBrowser()) as Chromium;
    owner = await givePassword(server.store);
  });
  afterAll(() => chromium?.close());

  async function openPage(path: string): Promise<Page> {
    const context = await chromium.newContext({
      baseURL: server.origin,
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  async function fillIn(page: Page, password: string): Promise<void> {
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('a person signs in, after a mistake, and out', async () => {
    const page = await openPage('/account');
    expect(await page.title()).toBe('Sign in – Gatehouse');
    await fillIn(page, 'not the password');
    expect(await page.getByRole('alert').textContent()).toContain('not right');
    await fillIn(page, PASSWORD);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your account');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are signed out');
    await page.goto('/account');
    expect(page.url()).toBe(`${server.origin}/sign-in?return_to=%2Faccount`);
  });

  it('sign-in goes on to where it began', async () => {
    const page = await openPage('/sign-in?return_to=%2Fhealthz%3Fa%3D1');
    await fillIn(page, PASSWORD);
    await page.waitForURL(`${server.origin}/healthz?a=1`);
  });

  it('a link lets its person choose a password', async () => {
    const page = await openPage(await linkFor(server.store, owner, 'reset'));
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('The same password again').fill(PASSWORD);
    await page.getByRole('button').click();
    await page.waitForURL(`${server.origin}/console`);
  });

  it('nothing is wider than a phone', async () => {
    for (const path of ['/sign-in', await linkFor(server.store, owner, 'invitation')]) {
      const page = await openPage(path);
      const { width = 0 } = (await page.locator('main').boundingBox()) ?? {};
      expect(width).toBeGreaterThan(300);
      expect(width).toBeLessThanOrEqual(360);
    }
  });
});
