import { fileURLToPath } from 'node:url';
import {
  connectAccount,
  isBrowserMissing,
  launchBrowser,
  mouse,
  removePerson,
  repairIntegration,
  replaceSecret,
  revokeAccess,
  tryWithout,
} from '@gatehouse/harness';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Chromium, createPages, type Page, type Pages } from './support/pages.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

describe.skipIf(isBrowserMissing())('the demo, which has no server,', () => {
  let vite: ViteDevServer;
  let chromium: Chromium;
  let pages: Pages;
  let page: Page;

  beforeAll(async () => {
    vite = await createServer({ root, mode: 'demo', logLevel: 'error', server: { port: 0 } });
    await vite.listen();
    chromium = (await launchBrowser()) as Chromium;
    pages = createPages(chromium, vite.resolvedUrls?.local[0]?.replace(/\/console\/$/, '') ?? '');
  });
  afterAll(async () => {
    await chromium.close();
    await vite.close();
  });
  beforeEach(async () => {
    page = await pages.take();
  });
  afterEach(async () => {
    expect((await pages.release()).complaints).toEqual([]);
  });

  /** A load of the page would begin with other data, so a person goes by links. */
  const goTo = async (...names: readonly string[]) => {
    await page.goto('/console/');
    for (const name of names) await page.getByRole('link', { name }).first().click();
  };

  it('repairs a broken integration from what needs attention', async () => {
    await goTo('Home');
    await repairIntegration(page, mouse, 'Payroll', {
      label: 'URL',
      value: 'https://mcp.payroll.example:8443/mcp',
      // Nobody has connected it yet.
      status: 'Pending',
    });
  });

  it('says who would lose what', async () => {
    await goTo('Access');
    await page.getByRole('button', { name: 'Table' }).click();
    const row = page.getByRole('row').filter({ hasText: 'GitHub' });
    await row.getByRole('link', { name: 'Cursor' }).click();
    await tryWithout(page, mouse);
  });

  it('revokes the access of an application, with a receipt', async () => {
    await goTo('Applications', 'Cursor');
    expect(await revokeAccess(page, mouse, 'Cursor')).toBe('2');
  });

  it('replaces a client secret, and shows it once', async () => {
    await goTo('Applications', 'Nightly report');
    const parts = page.getByRole('navigation', { name: 'Parts of the application' });
    await parts.getByRole('link', { name: 'Settings' }).click();
    const replaced = await replaceSecret(page, mouse);
    expect(replaced).toMatch(/^gh_cs_/);
    expect(await page.content()).not.toContain(replaced);
  });

  it('removes a person who leaves', async () => {
    await goTo('People');
    await removePerson(page, mouse, 'Li Wei');
  });

  it('connects an account at 360 px', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    await page.goto('/console/connections');
    await connectAccount(page, mouse, 'Jira', { Site: 'acme', 'API key': 'key-of-ana' });
  });
});
