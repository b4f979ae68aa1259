import { isBrowserMissing } from '@gatehouse/harness';
import type { AggregateState } from '@gatehouse/sdk';
import { describe, expect, it } from 'vitest';
import { barriersOf, type Page, useConsole } from './support/console.ts';

const NONE = { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 };

describe.skipIf(isBrowserMissing())('the one URL of an application', () => {
  const console = useConsole();

  const show = async (page: Page, name: string, tab: string) => {
    await page.goto(`/console/applications/${await console.idOf(name)}?tab=${tab}`);
  };

  /** What the URL lists, in place of the mocks, which list nothing. */
  async function listing(state: (ids: readonly string[]) => AggregateState): Promise<void> {
    const ids = [await console.idOf('Linear'), await console.idOf('GitHub')];
    console.state.fault = ({ url }) =>
      url.endsWith('/aggregate') ? Response.json(state(ids)) : undefined;
  }

  const states = (first: string, second: string) =>
    listing(([linear = '', github = '']) => ({
      integrations: [
        { id: linear, alias: 'linear', state: first, counts: { ...NONE, tools: 12, prompts: 1 } },
        { id: github, alias: 'github', state: second, counts: NONE },
      ],
      leftOut: [
        { integrationId: linear, kind: 'tool', name: 'find issue', reason: 'name_not_unique' },
        { integrationId: github, kind: 'resource', name: null, reason: 'unidentified' },
        { integrationId: github, kind: 'prompt', name: 'x', reason: 'a_later_reason' },
      ],
    }));

  it('comes first in the snippets, before those of each integration', async () => {
    const id = await console.idOf('Cursor');
    const page = await console.open(`/console/applications/${id}?client=codex`);
    const copies = page.getByRole('button', { name: /^Copy Codex for/ });
    await copies.first().waitFor();
    expect(await copies.count()).toBeGreaterThan(1);
    expect(await copies.first().textContent()).toContain('all of Cursor');
    await page.getByRole('button', { name: 'Copy Codex for all of Cursor' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`[mcp_servers.cursor]\nurl = "${console.origin}/mcp/${id}"`);
  });

  it('is not offered where it is off', async () => {
    const page = await console.open('/console');
    await show(page, 'Cursor', 'settings');
    await page.getByLabel('No such URL').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Cursor is saved.').waitFor();
    await show(page, 'Cursor', 'integrations');
    await page.getByRole('button', { name: 'Detach Linear' }).waitFor();
    expect(await page.getByText('All of them by one URL').count()).toBe(0);
    await page.getByRole('link', { name: 'Connect a client' }).click();
    await page.getByRole('button', { name: /^Copy .* for Linear$/ }).waitFor();
    expect(await page.getByRole('button', { name: /all of Cursor/ }).count()).toBe(0);
  });

  it('is set up in the settings, and a length that cannot be is named', async () => {
    const page = await console.open('/console');
    await show(page, 'Cursor', 'settings');
    await page.getByLabel('Longest name there').fill('31');
    await page.getByLabel('Search for tools').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must be a whole number from 32 to 64.').waitFor();
    await page.getByLabel('Longest name there').fill('48');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Cursor is saved.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Longest name there').inputValue()).toBe('48');
    expect(await page.getByLabel('Search for tools').isChecked()).toBe(true);
  });

  it('keeps what is typed while it is saved, and what someone else has set', async () => {
    const page = await console.open('/console');
    await show(page, 'Cursor', 'settings');
    const length = page.getByLabel('Longest name there');
    let release = () => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    await length.fill('40');
    const { baseUrl, tokens } = console.state.mocks;
    const headers = { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' };
    const path = `${baseUrl}/applications/${await console.idOf('Cursor')}`;
    const body = JSON.stringify({ aggregate: { mode: 'search' } });
    const theirs = await fetch(path, { method: 'PATCH', headers, body });
    expect(theirs.status).toBe(200);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('Someone else changed it while you were here.').waitFor();
    expect(await page.getByLabel('Search for tools').isChecked()).toBe(true);
    console.state.fault = ({ method }) => (method === 'PATCH' ? held : undefined);
    await save.click();
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await length.fill('44');
    release();
    await save.click();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.reload();
    await expect.poll(() => length.inputValue()).toBe('44');
    expect(await page.getByLabel('Search for tools').isChecked()).toBe(true);
  });

  it('says in words what each integration is in, and what is left out and why', async () => {
    await states('stale', 'connect');
    const page = await console.open('/console');
    await show(page, 'Cursor', 'integrations');
    const table = page.getByRole('table', { name: 'Integrations at the one URL' });
    await table.getByText('From before').waitFor();
    await table.getByText('12 tools, 1 prompt').waitFor();
    await table.getByText('linear__search').waitFor();
    await table.getByRole('link', { name: 'Connect' }).waitFor();
    const leftOut = page.getByRole('table', { name: 'What is left out' });
    await leftOut.getByText('find issue').waitFor();
    await leftOut.getByText('Another one of the integration would have the same name').waitFor();
    await leftOut.getByText('Without a name').waitFor();
    await leftOut.getByText('a_later_reason').waitFor();
    expect(await barriersOf(page)).toEqual([]);
  });

  it('has another alias after it is typed, by keyboard, with the name that results', async () => {
    const page = await console.open('/console');
    await show(page, 'Cursor', 'integrations');
    await page.getByRole('button', { name: 'Change the alias of Linear' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Alias of Linear' });
    await dialog.getByLabel('Alias', { exact: true }).fill('Issues!');
    await page.keyboard.press('Enter');
    await dialog
      .getByText(/At most 16/)
      .first()
      .waitFor();
    await dialog.getByLabel('Alias', { exact: true }).fill('github');
    await page.keyboard.press('Enter');
    await dialog.getByText('Another integration has this alias.').waitFor();
    await dialog.getByLabel('Alias', { exact: true }).fill('issues');
    await dialog.getByText('issues__search').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('The alias of Linear is saved.').waitFor();
    await page
      .getByRole('table', { name: 'Integrations at the one URL' })
      .getByText('issues__search')
      .waitFor();
  });

  it('fits a narrow window', async () => {
    await states('ok', 'failed');
    const page = await console.open('/console', { width: 360 });
    await show(page, 'Cursor', 'integrations');
    await page.getByText('12 tools, 1 prompt').waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
  });
});
