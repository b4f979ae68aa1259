import { isBrowserMissing } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';
import { savedFile } from './support/saved-file.ts';

const rows = (page: Page) => page.locator('tbody tr');
const row = (page: Page, ...texts: readonly string[]) =>
  texts.reduce((found, hasText) => found.filter({ hasText }), rows(page));

const filter = (page: Page, name: string | RegExp) =>
  page.getByRole('search').getByRole('button', { name });

/** Goes on by the key Tab until a control with these words has the focus. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab');
    if (words.test(await focused())) return;
  }
  throw new Error(`Tab does not reach ${words}.`);
}

async function pick(page: Page, what: string, name: string): Promise<void> {
  await filter(page, new RegExp(`^${what}`)).click();
  const dialog = page.getByRole('dialog', { name: `Sessions of which ${what.toLowerCase()}?` });
  await dialog.getByLabel('Search names').fill(name);
  await dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click();
}

describe.skipIf(isBrowserMissing())('sessions', () => {
  const console = useConsole();
  const ends = () => console.state.requests.filter((line) => line.endsWith('/sessions/end'));

  /** Who a token belongs to. */
  async function userOf(token: string): Promise<string> {
    const response = await fetch(`${console.state.mocks.baseUrl}/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await response.json()) as { user: { id: string } }).user.id;
  }

  async function addSessions(count: number, userId?: string): Promise<void> {
    const applicationId = await console.idOf('Not attached yet');
    const integrationId = await console.idOf('Weather');
    for (let each = 0; each < count; each += 1) {
      console.state.mocks.fixtures.addSession({
        applicationId,
        integrationId,
        ...(userId !== undefined && { userId }),
      });
    }
  }

  it('say who uses what through which application, and hostile names are text', async () => {
    const page = await console.open('/console/activity');
    await row(page, 'GitHub', 'Cursor', 'The owner').getByText('Open, in use').waitFor();
    await row(page, 'Linear').getByText('Closed by its client').waitFor();
    await row(page, 'Support assistant', 'Li Wei').getByText('MCP 2026-07-28').waitFor();
    await row(page, '<img src=x onerror=alert(2)>', '"><svg onload=alert(1)>').waitFor();
    expect(await page.locator('td :is(img, b)').count()).toBe(0);
    await page
      .getByRole('link', { name: 'Activity', exact: true })
      .and(page.locator('[aria-current=page]'))
      .waitFor();
  });

  it('are narrowed by application, integration, person and state, in the URL', async () => {
    const page = await console.open('/console/activity');
    await pick(page, 'Application', 'Cursor');
    await page.waitForURL(/application=/);
    await expect.poll(() => rows(page).count()).toBe(3);
    await pick(page, 'Integration', 'GitHub');
    await expect.poll(() => rows(page).count()).toBe(2);
    await filter(page, 'State').click();
    await page.getByRole('menuitemradio', { name: 'Closed by its client' }).click();
    await page.getByText('No session matches these filters.').waitFor();
    await page.goto(page.url());
    await page.getByRole('button', { name: 'Application: Cursor' }).waitFor();
    await page.getByRole('button', { name: 'State: Closed by its client' }).waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await pick(page, 'Person', 'Li Wei');
    await page.waitForURL(/person=/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Person: Li Wei' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Any person' }).click();
    await expect.poll(() => rows(page).count()).toBe(7);
    await page.goto('/console/activity?application=x&state=constructor&kind=9&person=%00');
    await expect.poll(() => rows(page).count()).toBe(7);
  });

  it('are read again while they are looked at, one page after the other', async () => {
    const page = await console.open('/console/activity?sort=integration');
    await expect.poll(() => rows(page).count()).toBe(7);
    await addSessions(95);
    const end = page.getByText('The first 100 sessions are loaded.');
    await end.waitFor();
    await page.getByText('Sorting applies to them, filters to all.').waitFor();
    await end.scrollIntoViewIfNeeded();
    await expect.poll(() => rows(page).count()).toBe(102);
  });

  it('end one by one without a question', async () => {
    const page = await console.open('/console/activity');
    const name = 'End the session of Li Wei at Notion through Support assistant';
    await page.getByRole('button', { name }).click();
    await page.getByText('The session is ended.').waitFor();
    await row(page, 'Notion', 'Li Wei').getByText('Revoked').waitFor();
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  });

  it('end all together after a preview that ends nothing, with a receipt', async () => {
    const page = await console.open(
      `/console/activity?application=${await console.idOf('Cursor')}`,
    );
    await page.getByRole('button', { name: 'End all…' }).click();
    const dialog = page.getByRole('dialog', { name: 'End all of these sessions?' });
    await dialog.getByText('GitHub through Cursor, The owner').first().waitFor();
    expect(await dialog.locator('dd').allInnerTexts()).toEqual(['2', '1', '0']);
    await dialog.getByRole('button', { name: 'Keep them' }).click();
    await expect.poll(() => row(page, 'GitHub', 'Open').count()).toBe(2);
    await page.getByRole('button', { name: 'End all…' }).click();
    await dialog.getByRole('button', { name: 'End 2' }).click();
    const receipt = page.getByRole('dialog', { name: 'The sessions are ended' });
    await receipt.getByText('Open sessions').waitFor();
    expect(await receipt.locator('dd').allInnerTexts()).toEqual(['2', '1', '0']);
    await receipt.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => row(page, 'GitHub', 'Revoked').count()).toBe(2);
    await page.getByRole('button', { name: 'End all…' }).click();
    await dialog.getByText('No session of these is open now').waitFor();
    expect(await dialog.getByRole('button', { name: /^End/ }).count()).toBe(0);
  });

  it('end in as many requests as it takes, and what has ended is known when one fails', async () => {
    await addSessions(1_003);
    const page = await console.open(
      `/console/activity?application=${await console.idOf('Not attached yet')}`,
    );
    await page.getByRole('button', { name: 'End all…' }).click();
    await page.getByRole('button', { name: 'End 1,003' }).waitFor();
    const before = ends().length;
    console.state.fault = ({ url }) =>
      url.endsWith('/sessions/end') && ends().length > before + 1 ? unavailable() : undefined;
    await page.getByRole('button', { name: 'End 1,003' }).click();
    const receipt = page.getByRole('dialog', { name: 'The sessions are ended' });
    await receipt.getByText('The database cannot be reached.').waitFor();
    await receipt.getByText('3 more are open.').waitFor();
    await receipt.getByText('1,000', { exact: true }).waitFor();
    console.state.fault = undefined;
    await receipt.getByRole('button', { name: 'End these too' }).click();
    await receipt.getByText('1,003', { exact: true }).waitFor();
    await expect.poll(() => receipt.getByRole('button', { name: 'End these too' }).count()).toBe(0);
  });

  it('do not end all at once for the whole organization', async () => {
    const page = await console.open('/console/activity?state=open');
    await page.getByRole('button', { name: 'End all…' }).click();
    await page.getByText('First choose an application, an integration or a person.').waitFor();
    expect(ends()).toEqual([]);
  });

  it('are reached from an application and an integration', async () => {
    const page = await console.open(
      `/console/applications/${await console.idOf('Support assistant')}?tab=sessions`,
    );
    await page.getByRole('link', { name: 'All sessions of this application' }).click();
    await page.getByRole('button', { name: 'Application: Support assistant' }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goto(`/console/integrations/${await console.idOf('GitHub')}?tab=applications`);
    await page.getByRole('link', { name: 'Sessions of this integration' }).click();
    await page.getByRole('button', { name: 'Integration: GitHub' }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  it('are saved as a table of all that the filters leave, in which no name is a formula', async () => {
    const { fixtures } = console.state.mocks;
    const { application } = fixtures.addApplication({ name: '=1+1' });
    const integrationId = await console.idOf('Weather');
    fixtures.addSession({ applicationId: application.id, integrationId });
    await addSessions(120);
    const page = await console.open(`/console/activity?integration=${integrationId}`);
    await page.getByText('The first 100 sessions are loaded.').waitFor();
    const table = await savedFile(page, () =>
      page.getByRole('button', { name: 'Export CSV' }).click(),
    );
    const lines = table.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'Integration,Application,Person,State,Kind,Began,Last used,Ended,Expires,Session',
    );
    expect(lines).toHaveLength(1 + 123);
    expect(table).toContain("Weather,'=1+1,The owner,Open,MCP 2026-07-28,20");
    expect(lines.every((line) => line === lines[0] || line.startsWith('Weather,'))).toBe(true);
  });

  it('of a member are their own alone, and end together', async () => {
    const { tokens } = console.state.mocks;
    await addSessions(2, await userOf(tokens.member));
    console.state.token = tokens.member;
    const page = await console.open(`/console/activity?person=${await userOf(tokens.owner)}`);
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await filter(page, /^Person/).count()).toBe(0);
    expect(await rows(page).getByRole('link', { name: 'Not attached yet' }).count()).toBe(0);
    await pick(page, 'Application', 'Not attached yet');
    await rows(page).getByRole('button', { name: /^End/ }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'End 2' }).click();
    await page.getByRole('dialog', { name: 'The sessions are ended' }).waitFor();
    const asked = console.state.requests.filter((line) =>
      /members|groups|\/applications\//.test(line),
    );
    expect(asked).toEqual([]);
  });

  it('are narrowed and ended by keyboard alone', async () => {
    const page = await console.open('/console/activity');
    await row(page, 'GitHub').first().waitFor();
    await filter(page, 'Application').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Search names');
    await page.keyboard.type('Cursor');
    await expect.poll(() => page.getByRole('dialog').getByRole('listitem').count()).toBe(1);
    await tabTo(page, /Cursor/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Application: Cursor' }).waitFor();
    await page.getByRole('button', { name: 'End all…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'End 2' }).waitFor();
    await tabTo(page, /^End 2$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'The sessions are ended' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

function unavailable(): Response {
  const { status, body } = problem('database_unavailable');
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
