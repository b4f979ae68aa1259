import { isBrowserMissing, startStaticSite } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { linkFor } from '../../support/browser.ts';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { ownerOf, type Page, useConsoleBrowser } from './console-browser.ts';
import { press } from './hand.ts';

const server = useServer();
const elsewhere = use(() => startStaticSite({}));

describe.skipIf(isBrowserMissing())('what was the first person’s', () => {
  const browser = useConsoleBrowser(server);

  async function openPeople(): Promise<Page> {
    const page = await browser.openAs(await ownerOf(server));
    await page.goto('/console/people');
    await page.getByText('member-1@example.com').waitFor();
    return page;
  }

  async function signOutIn(page: Page): Promise<void> {
    await page.goto('/console');
    await press(page.getByRole('button', { name: 'Sign out' }));
    await page.waitForURL(/\/sign-in/);
  }

  it('leaves an older tab after signing out in another one', async () => {
    await server.addMember('member');
    const page = await openPeople();
    await signOutIn(await page.context().newPage());
    await page.waitForURL(/\/sign-in\?return_to=/);
    expect(await page.content()).not.toContain('member-1@example.com');
    await page.goBack();
    await page.waitForURL(/\/sign-in/);
  });

  it('is nothing that a second person in the same browser sees', async () => {
    const second = await server.addMember('member');
    const page = await openPeople();
    const other = await page.context().newPage();
    await signOutIn(other);
    await page.waitForURL(/\/sign-in/);
    const { organizationId } = await server.store.db.user.findUniqueOrThrow({
      where: { id: second.id },
    });
    await other.goto(await linkFor(server.store, { id: second.id, organizationId }, 'sign_in'));
    await press(other.getByRole('button', { name: /^Sign in as/ }));
    await other.waitForURL(/\/console/);
    await page.goto('/console/people');
    await page.getByText('This view is for owners and admins.').waitFor();
    expect(await page.content()).not.toContain('member-1@example.com');
  });

  it('is nothing that a page of another origin reads', async () => {
    const page = await openPeople();
    const foreign = await page.context().newPage();
    await foreign.goto(elsewhere.origin);
    for (const [path, method] of [
      ['/console/token', 'POST'],
      ['/api/v1/me', 'GET'],
    ] as const) {
      const init = { method, credentials: 'include' as const };
      const read = await foreign.evaluate(
        async ([url, options]) =>
          fetch(url, options).then(
            (response) => response.text(),
            () => 'nothing',
          ),
        [`${server.origin}${path}`, init] as const,
      );
      expect([path, read]).toEqual([path, 'nothing']);
    }
  });
});
