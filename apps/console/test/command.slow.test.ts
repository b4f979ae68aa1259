import { isBrowserMissing } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';

const menuOf = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.keyboard.press('Control+k');
  const menu = menuOf(page);
  await menu.getByRole('combobox').waitFor();
  return menu;
}

async function choose(page: Page, text: string, name: string): Promise<void> {
  const menu = await openMenu(page);
  await page.keyboard.type(text);
  await menu
    .getByRole('option', { name })
    .first()
    .and(page.locator('[data-highlighted]'))
    .waitFor();
  await page.keyboard.press('Enter');
  await menu.waitFor({ state: 'hidden' });
}

const hasFocus = (page: Page, name: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);

describe.skipIf(isBrowserMissing())('the command menu', () => {
  const console = useConsole();

  it('opens by keys and by its button, and closes by keys', async () => {
    const page = await console.open('/console/tokens');
    const menu = await openMenu(page);
    await page.keyboard.press('Control+k');
    await menu.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Search', exact: false }).first().click();
    await menu.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
  });

  it('takes what is typed as soon as its field is there', async () => {
    const page = await console.open('/console/tokens');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const hasFocusAtOnce = page.evaluate(
      () =>
        new Promise((resolve) => {
          new MutationObserver(() => {
            const field = document.querySelector('[role="combobox"]');
            if (field !== null) resolve(document.activeElement === field);
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await page.keyboard.press('Control+k');
    expect(await hasFocusAtOnce).toBe(true);
  });

  it('goes to any view, and its heading has the focus', async () => {
    const page = await console.open('/console/tokens');
    await choose(page, 'setti', 'Settings');
    await page.waitForURL(/\/console\/settings$/);
    await hasFocus(page, 'Settings');
  });

  it.each([
    ['jir', 'Jira', /\/integrations\//, 'Jira'],
    ['nightly', 'Nightly report', /\/applications\//, 'Nightly report'],
    ['platf', 'Platform', /\/groups\//, 'Platform'],
    ['li wei', 'Li Wei', /\/people\?find=/, 'People'],
    [
      '<img src=x onerror=alert(1)',
      '<img src=x onerror=alert(1)>',
      /\/integrations\//,
      '<img src=x onerror=alert(1)>',
    ],
  ])('finds %s by its name, and opens it', async (text, name, address, heading) => {
    const page = await console.open('/console/tokens');
    await choose(page, text, name);
    await page.waitForURL(address);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  });

  it('finds with each word, and says so where nothing has the name', async () => {
    const page = await console.open('/console');
    const menu = await openMenu(page);
    await page.keyboard.type('no such thing');
    await menu.getByText('Nothing has this name.').waitFor();
    expect(await menu.getByRole('option').count()).toBe(0);
  });

  it('does what a button does, wherever one is', async () => {
    const page = await console.open('/console/access');
    await choose(page, 'dark', 'Theme: dark');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await page.getByRole('button', { name: 'Dark', pressed: true }).count()).toBe(1);
    await choose(page, 'create tok', 'Create token');
    await page.getByRole('dialog', { name: 'Create a token' }).getByLabel('Name').waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'invite', 'Invite someone');
    await page.getByRole('dialog', { name: 'Invite someone' }).waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'create group', 'Create group');
    await page.getByRole('dialog', { name: 'Create a group' }).waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'sign out', 'Sign out');
    await page.waitForURL(/\/sign-in$/);
  });

  it('does what can be done with the integration that is open', async () => {
    const page = await console.open(`/console/integrations/${await console.idOf('Jira')}`);
    await page.getByRole('heading', { name: 'Jira' }).waitFor();
    await choose(page, 'valid', 'Validate again');
    await page.getByText('1,204 ms').waitFor();
    for (const [text, name] of [
      ['prom', 'Prompts'],
      ['resou', 'Resources'],
      ['policy', 'Policy'],
    ] as const) {
      await choose(page, text, name);
      await page.waitForURL(new RegExp(`tab=${name.toLowerCase()}`));
    }
    await choose(page, 'arch', 'Archive');
    await page.getByText('It is archived: the gateway').waitFor();
    await choose(page, 'resto', 'Restore');
    await page.getByText('Jira is restored.').waitFor();
    await page.getByText('It is archived: the gateway').waitFor({ state: 'hidden' });
  });

  it('does what can be done with the application that is open', async () => {
    const page = await console.open(`/console/applications/${await console.idOf('Cursor')}`);
    await page.getByRole('heading', { name: 'Cursor', level: 1 }).waitFor();
    for (const [text, name, dialog] of [
      ['attach', 'Attach integrations', 'Attach to Cursor'],
      ['revoke', 'Revoke access', 'Revoke all access of Cursor?'],
      ['archive', 'Archive', 'Archive Cursor?'],
    ] as const) {
      await choose(page, text, name);
      const opened = page.getByRole('dialog', { name: dialog });
      await opened.waitFor();
      expect(new URL(page.url()).searchParams.get('tab')).toBe('integrations');
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'hidden' });
    }
    await choose(page, 'end its', 'End its sessions');
    await page.getByRole('dialog', { name: 'End all of these sessions?' }).waitFor();
  });

  it('offers nothing that the person may not do with an application', async () => {
    const { mocks } = console.state;
    const id = await console.idOf('Cursor');
    const headers = { authorization: `Bearer ${mocks.tokens.owner}` };
    await fetch(`${mocks.baseUrl}/applications/${id}`, { method: 'DELETE', headers });
    const page = await console.open(`/console/applications/${id}`);
    await page.getByText('It is archived: nothing').waitFor();
    const menu = await openMenu(page);
    await menu.getByRole('option', { name: 'Restore' }).waitFor();
    expect(await menu.getByRole('option', { name: /Attach|Revoke|Archive$/ }).count()).toBe(0);
  });

  it('leads from Home to why a person may not use something, in two choices', async () => {
    const page = await console.open('/console');
    await choose(page, 'access li', 'Access of Li Wei');
    await page.waitForURL(/\/access\?forUserId=/);
    const line = page.getByRole('row').filter({ hasText: 'Refused' }).first().getByRole('link');
    await line.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('complementary', { name: 'What is chosen' })
      .getByText('Li Wei may not use it.')
      .waitFor();
  });

  it('opens above no dialog, since that may hold what was typed', async () => {
    const page = await console.open('/console/tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog', { name: 'Create a token' }).getByLabel('Name').fill('Mine');
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(300);
    expect(await menuOf(page).count()).toBe(0);
  });

  it('offers a member nothing of admins, and asks for nothing of theirs', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console/tokens');
    const menu = await openMenu(page);
    expect(
      await menu.getByRole('option', { name: /People|Access|Invite|Add integration/ }).count(),
    ).toBe(0);
    await page.keyboard.type('jir');
    await menu.getByRole('option', { name: 'Jira' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/integrations\//);
    expect(
      console.state.requests.filter((request) => /members|groups|graph/.test(request)),
    ).toEqual([]);
  });

  it('says why names are missing, and shows those that were found', async () => {
    console.state.fault = ({ url }) =>
      url.includes('/integrations?')
        ? Response.json(problem('database_unavailable').body, {
            status: 503,
            headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
          })
        : undefined;
    const page = await console.open('/console/tokens');
    const menu = await openMenu(page);
    await page.keyboard.type('curs');
    await menu.getByRole('option', { name: 'Cursor' }).waitFor();
    await menu.getByText('The database cannot be reached.').waitFor();
  });
});

describe.skipIf(isBrowserMissing())('keyboard shortcuts', () => {
  const console = useConsole();
  const openTokens = async () => {
    const page = await console.open('/console/tokens');
    await page.getByRole('searchbox', { name: 'Search names' }).waitFor();
    return page;
  };

  it('open the views, also from the heading of another', async () => {
    const page = await openTokens();
    for (const [keys, heading] of [
      ['gi', 'Integrations'],
      ['gc', 'My connections'],
      ['ga', 'Applications'],
      ['gx', 'Access'],
      ['gh', 'Home'],
    ] as const) {
      await page.keyboard.type(keys);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
  });

  it('focus the search of the view, and are only text there', async () => {
    const page = await openTokens();
    const search = page.getByRole('searchbox', { name: 'Search names' });
    await page.keyboard.press('/');
    await expect
      .poll(() => search.evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type('g h?/');
    expect(await search.inputValue()).toBe('g h?/');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.type('gi');
    await page.waitForTimeout(500);
    expect(page.url()).toContain('/console/tokens');
  });

  it('are left to the browser with a modifier, and to the dialog that is open', async () => {
    const page = await openTokens();
    for (const keys of ['Alt+i', 'Control+i', 'Shift+I']) {
      await page.keyboard.type('g');
      await page.keyboard.press(keys);
      // What comes next begins again.
      await page.keyboard.type('z');
    }
    await page.getByRole('button', { name: 'Revoke Deployments of the shop' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('gi');
    await page.waitForTimeout(500);
    expect(page.url()).toContain('/console/tokens');
  });

  it('are listed by the question mark, and beside what they do in the menu', async () => {
    const page = await openTokens();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Search within the view').waitFor();
    const row = dialog
      .locator('div')
      .filter({ has: page.getByText('My connections', { exact: true }) })
      .last();
    expect(await row.locator('kbd').allInnerTexts()).toEqual(['g', 'c']);
    await page.keyboard.press('Escape');
    const menu = await openMenu(page);
    const option = menu.getByRole('option', { name: 'Applications' });
    expect(await option.locator('kbd').allInnerTexts()).toEqual(['g', 'a']);
  });

  it('open no view of admins for a member, and are not listed', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await openTokens();
    await page.keyboard.type('gp');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('My connections').waitFor();
    expect(await dialog.getByText('People').count()).toBe(0);
    expect(page.url()).toContain('/console/tokens');
  });
});
