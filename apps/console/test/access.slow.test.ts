import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';
import { savedFile } from './support/saved-file.ts';

const column = (page: Page, name: 'Applications' | 'Integrations') =>
  page.getByRole('listbox', { name });
const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name });
const chosen = (page: Page) => page.getByRole('complementary', { name: 'What is chosen' });

describe.skipIf(isBrowserMissing())('access', () => {
  const console = useConsole();

  async function open(names: { focus?: string; other?: string } = {}, more = ''): Promise<Page> {
    const { focus, other } = names;
    const ends = [
      focus === undefined ? '' : `focus=${await console.idOf(focus)}`,
      other === undefined ? '' : `other=${await console.idOf(other)}`,
      more,
    ];
    return console.open(`/console/access?${ends.filter(Boolean).join('&')}`);
  }

  async function saved(page: Page, item: string): Promise<string> {
    await page.getByRole('button', { name: 'Export' }).click();
    return savedFile(page, () => page.getByRole('menuitem', { name: item }).click());
  }

  it('is two columns with what is attached between them, and hostile names are text', async () => {
    const page = await open();
    await column(page, 'Applications')
      .getByRole('option', { name: 'Cursor 4 integrations' })
      .waitFor();
    await column(page, 'Integrations')
      .getByRole('option', { name: 'Notion 2 applications' })
      .waitFor();
    await option(page, /"><svg onload=alert\(1\)> <b>bold<\/b>/).waitFor();
    expect(await page.locator('[role=option] :is(b, img, script, svg)').count()).toBe(0);
    await page.getByRole('button', { name: 'Allowed 6' }).waitFor();
  });

  it('focuses a node, then one of its edges, and says why in sentences', async () => {
    const page = await open();
    await option(page, /^Cursor/).click();
    await page.waitForURL(/focus=.*only=true/);
    await expect.poll(() => page.getByRole('option').count()).toBe(5);
    await chosen(page).getByText('An application with 4 integrations.').waitFor();
    await option(page, 'GitHub 3 of 5 tools').click();
    await page.waitForURL(/other=/);
    await chosen(page).getByRole('heading', { name: 'Cursor → GitHub' }).waitFor();
    await chosen(page).getByText('You may use 3 of 5 tools.').waitFor();
    const rule = chosen(page).getByRole('listitem').filter({ hasText: 'delete_* and merge_*' });
    await rule.getByText('Rules of the attachment').waitFor();
    await page.goBack();
    await chosen(page).getByRole('heading', { name: 'Cursor', exact: true }).waitFor();
    await chosen(page).getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(20);
    await chosen(page).getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => chosen(page).count()).toBe(0);
  });

  it('opens an edge by a click on its line', async () => {
    const page = await open({ focus: 'Cursor' }, 'only=true');
    const [from, to] = await Promise.all(
      [/^Cursor/, /^Linear/].map((name) => option(page, name).boundingBox()),
    );
    if (!from || !to) throw new Error('The ends are not in view.');
    const middle = (box: typeof from) => box.y + box.height / 2;
    await page.mouse.click((from.x + from.width + to.x) / 2, (middle(from) + middle(to)) / 2);
    await chosen(page).getByRole('heading', { name: 'Cursor → Linear' }).waitFor();
    await chosen(page).getByText('You may not use it.').waitFor();
    await chosen(page).getByText('The last validation of the integration failed.').waitFor();
  });

  it('answers for one person, a group or a role', async () => {
    const page = await open({ focus: 'Nightly report', other: 'Reports' });
    await chosen(page).getByText('You may not use it.').waitFor();
    for (const [search, name, verdict] of [
      ['wei', 'Li Wei', 'Li Wei may not use it.'],
      ['ortiz', 'Sam Ortiz', 'Sam Ortiz may use it.'],
      ['support group', 'Support', 'A person in Support may use it.'],
      ['admin role', 'Admin', 'A person with the role admin may not use it.'],
    ] as const) {
      await page.getByRole('button', { name: /^For (?!you again)/ }).click();
      const dialog = page.getByRole('dialog', { name: 'For whom is the graph?' });
      await dialog.getByLabel('Search people, groups and roles').fill(search);
      await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
      await dialog.getByRole('button', { name }).click();
      await chosen(page).getByText(verdict).waitFor();
    }
    await page.waitForURL(/forRole=admin/);
    expect(page.url()).not.toMatch(/forUserId|forGroup/);
    const refusal = chosen(page).getByRole('listitem').filter({ hasText: 'other roles or groups' });
    await refusal.getByText('Only these may use it: the members of Support.').waitFor();
    await refusal.getByText('Rules of the integration').waitFor();
    await page.getByRole('button', { name: 'For you again' }).click();
    await chosen(page).getByText('You may not use it.').waitFor();
  });

  it('says who would lose what without an edge, and changes nothing', async () => {
    const page = await open({ focus: 'Nightly report', other: 'Reports' });
    console.state.requests.length = 0;
    await chosen(page).getByRole('button', { name: 'Try without it' }).click();
    const outcome = chosen(page).getByRole('region', { name: 'What if' });
    await outcome.getByText('1 person would lose it.').waitFor();
    await outcome.getByText('Sam Ortiz').waitFor();
    await page.waitForURL(/tried=true/);
    const writes = console.state.requests.filter((line) => !line.startsWith('GET '));
    expect(new Set(writes)).toEqual(new Set(['POST /api/v1/applications/access-graph/what-if']));
    await outcome.getByRole('button', { name: 'As it is' }).click();
    await chosen(page).getByRole('button', { name: 'Try without it' }).waitFor();
  });

  it('says who would gain what with an edge that is not there', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'What if…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What if…' });
    await dialog.getByLabel('Application').selectOption('Not attached yet');
    expect(await dialog.getByRole('button', { name: 'Ask' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Integration').selectOption('Reports');
    await dialog.getByText('you see who would gain what').waitFor();
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await chosen(page).getByRole('heading', { name: 'Not attached yet → Reports' }).waitFor();
    await chosen(page).getByText('It is not attached').waitFor();
    await chosen(page).getByText('1 person would gain it.').waitFor();
    await chosen(page).getByText('Sam Ortiz').waitFor();
  });

  it('is used by keyboard alone', async () => {
    const page = await open();
    await option(page, /^Cursor/).waitFor();
    await page.getByRole('button', { name: /^Refused/ }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    const name = await page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.press('Enter');
    const focus = name.replace(/\d+ integrations?$/, '');
    await chosen(page).getByRole('heading', { name: focus, exact: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await chosen(page)
      .getByRole('heading', { name: `${focus} →` })
      .waitFor();
  });

  it('has the same facts as a table, each row with its reasons', async () => {
    const page = await open({}, 'view=table&sort=application');
    const table = page.getByRole('table', { name: 'Who may use what' });
    const row = table.getByRole('row').filter({ hasText: 'Support assistant' });
    await row.filter({ hasText: 'Jira' }).getByText('The last validation').waitFor();
    await table
      .getByRole('row')
      .filter({ hasText: 'Not attached yet' })
      .getByText('Not attached', { exact: true })
      .waitFor();
    await table.getByRole('row').filter({ hasText: 'GitHub' }).getByText('3 of 5 tools').waitFor();
    await table
      .getByRole('row')
      .filter({ hasText: 'GitHub' })
      .getByRole('link', { name: 'Cursor' })
      .press('Enter');
    await chosen(page).getByRole('heading', { name: 'Cursor → GitHub' }).waitFor();
    await page.getByRole('button', { name: 'Graph' }).click();
    await option(page, /^GitHub/).waitFor();
  });

  it('is searched and filtered by the URL', async () => {
    const page = await open();
    await page.getByLabel('Search names').fill('cursor lin');
    await page.waitForURL(/find=cursor/);
    await expect.poll(() => page.getByRole('option').count()).toBe(2);
    await page.goto('/console/access?access=conditional');
    await option(page, /^GitHub/).waitFor();
    expect(await page.getByRole('option').count()).toBe(2);
    await page.getByRole('button', { name: /^Some tools/, pressed: true }).waitFor();
    await page.goto('/console/access?find=nothing-has-this');
    await page.getByText('No edge matches these filters.').waitFor();
    await page.goto('/console/access?access=constructor&view=9&forUserId=x&focus=nothing');
    await chosen(page).getByText('Not in the graph').waitFor();
  });

  it('is saved as a table in which no name is a formula', async () => {
    const { fixtures } = console.state.mocks;
    fixtures.addApplication({ name: '=HYPERLINK("http://x","y")' });
    const page = await open();
    const table = await saved(page, 'Table as CSV');
    expect(table.split('\r\n')[0]).toBe(
      'Application,Integration,For,Access,Tools allowed,Tools,Why not,Attached',
    );
    expect(table).toContain('"\'=HYPERLINK(""http://x"",""y"")",,You,Not attached,');
    expect(table).toMatch(/Cursor,GitHub,You,Some tools,3,5,,20/);
    expect(table).toContain('Refused,0,0,The last validation of the integration failed.');
  });

  it('is saved as a picture in which names are text', async () => {
    const page = await open();
    const picture = await saved(page, 'Picture as SVG');
    // The policy of the console lets no page parse a text.
    const other = await page.context().newPage();
    const { texts, names, paths } = await other.evaluate((source) => {
      const { documentElement: root } = new DOMParser().parseFromString(source, 'image/svg+xml');
      const all = [...root.querySelectorAll('*')];
      return {
        names: [...new Set(all.map(({ localName }) => localName))],
        texts: all.filter((one) => one.localName === 'text').map((one) => one.textContent),
        paths: all.filter((one) => one.localName === 'path').length,
      };
    }, picture);
    expect(names.sort()).toEqual(['g', 'path', 'rect', 'text']);
    expect(texts).toContain('"><svg onload=alert(1)> <b>bold</b>');
    expect(paths).toBe(11);
  });

  it('is laid out by names where the worker cannot be loaded', async () => {
    const page = await console.open('/console/nothing');
    await page.route(/layout\.worker/, (route) => route.abort());
    await page.goto('/console/access');
    const first = column(page, 'Integrations').getByRole('option').first();
    await expect.poll(() => first.textContent()).toMatch(/^[{<"]/);
  });

  it('says who is unknown, and returns to oneself', async () => {
    const page = await open({}, `forUserId=${crypto.randomUUID()}`);
    await page.getByText('The access graph is for someone unknown.').waitFor();
    await page.getByRole('button', { name: 'For you again' }).click();
    await option(page, /^Cursor/).waitFor();
  });

  it('is for admins: a member reads a sentence, and nothing is fetched', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await open();
    await page.getByText('This view is for owners and admins.').waitFor();
    await page.waitForTimeout(300);
    expect(console.state.requests.filter((line) => !line.endsWith('/me'))).toEqual([]);
    expect(await page.getByRole('link', { name: 'Access' }).count()).toBe(0);
  });
});
