import { isBrowserMissing, launchBrowser } from '@gatehouse/harness';
import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkFor } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { use } from '../support/use.ts';
import { createIntegration, createLink, createMember, type Member, pageOf } from './fixture.ts';

type Chromium = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;
type Page = Awaited<ReturnType<Chromium['newPage']>>;

/** Where the pictures go, for a person to look at. */
const pictures = process.env.GATEHOUSE_TEST_PICTURES;

const server = useServer();
const provider = use(() => startIdentityProvider());
const upstream = use(() => startUpstream({ oauth: provider }));
let chromium: Chromium;

const LOOKS = [
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const;
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

describe.skipIf(isBrowserMissing())('in a browser', () => {
  beforeAll(async () => {
    chromium = (await launchBrowser()) as Chromium;
  });
  afterAll(() => chromium?.close());

  /** @param isChecked axe is a script, which the pages themselves forbid */
  async function openBrowser(
    [size, colorScheme]: readonly [keyof typeof SIZES, 'dark' | 'light'],
    member: Member,
    isChecked: boolean,
  ): Promise<Page> {
    const context = await chromium.newContext({
      baseURL: server.origin,
      bypassCSP: isChecked,
      viewport: SIZES[size],
      colorScheme,
    });
    const page = await context.newPage();
    await page.goto(await linkFor(server.store, member, 'sign_in'));
    await page.getByRole('button', { name: /^Sign in as/ }).click();
    await page.waitForURL(/\/console/);
    return page;
  }

  async function violations(page: Page): Promise<unknown> {
    await page.evaluate(axe.source);
    const found = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  const oauth = () =>
    createIntegration(server, { url: upstream.url, oauth: { scopes: ['email', 'read'] } });

  it("a person connects, within the content security policies of our pages and the provider's", async () => {
    const member = await createMember(server);
    const page = await openBrowser(LOOKS[0], member, false);
    await page.goto(await createLink(server, member, await oauth(), `${server.origin}/account`));
    await page.getByRole('button', { name: /^Continue to/ }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/\/account\?connected=/);
  });

  it.each(LOOKS)('the pages have no violation: %s, %s', async (...look) => {
    const member = await createMember(server);
    const page = await openBrowser(look, member, true);
    const id = await oauth();
    const token = await createIntegration(server, { url: upstream.url, authMode: 'user_token' });
    const check = async (name: string) => {
      if (pictures) {
        const path = `${pictures}/${name}-${look.join('-')}.png`;
        await page.screenshot({ path, fullPage: true });
      }
      expect(await violations(page), name).toEqual([]);
      const { width = 0 } = (await page.locator('main').boundingBox()) ?? {};
      expect(width).toBeLessThanOrEqual(SIZES[look[0]].width);
    };
    await page.goto(await createLink(server, member, id, `${server.origin}/account`));
    await check('link');
    await page.goto(pageOf(token));
    await check('token');
    await page.goto('/connect/none');
    await check('link-over');
    await page.goto(pageOf(id));
    await page.getByRole('button', { name: /^Continue to/ }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('now works for you').waitFor();
    await check('connected');
    await page.goto(pageOf(id));
    await check('again');
    await page.goto('/connect');
    await check('list');
  });
});
