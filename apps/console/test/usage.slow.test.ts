import { isBrowserMissing, pressByKeyboard } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';
import { savedFile } from './support/saved-file.ts';

const HOUR = 60 * 60_000;

const rows = (page: Page) => page.locator('tbody tr');
const row = (page: Page, hasText: string) => rows(page).filter({ hasText });
const cellsOf = (page: Page, hasText: string) => row(page, hasText).locator('td').allInnerTexts();

/** Calls of two integrations and two people, of which one is a member. */
describe.skipIf(isBrowserMissing())('usage', () => {
  const console = useConsole({ isEmpty: true });

  async function addCalls() {
    const { fixtures } = console.state.mocks;
    const member = fixtures.addMember('member');
    const { id: github } = fixtures.addIntegration({ name: 'GitHub' });
    const { id: hostile } = fixtures.addIntegration({ name: '<img src=x onerror=alert(1)>' });
    const { application } = fixtures.addApplication({ name: 'Cursor' });
    const { application: own } = fixtures.addApplication({ name: 'Mine' }, { token: member.token });
    const at = new Date(Date.now() - 2 * HOUR).toISOString();
    const use = { applicationId: application.id, integrationId: github, at };
    fixtures.addCalls({ ...use, tool: 'list_issues', count: 1_200, ms: 20 });
    fixtures.addCalls({ ...use, tool: '=1+1', outcome: 'refused', count: 3, ms: 3 });
    fixtures.addCalls({ ...use, outcome: 'error', ms: 3 });
    fixtures.addCalls({ ...use, tool: 'list_issues', outcome: 'upstream_error', ms: 4_000 });
    fixtures.addCalls({ ...use, userId: member.id, tool: 'search', count: 7 });
    fixtures.addCalls({ ...use, applicationId: own.id, integrationId: hostile, count: 5 });
    return { member, github, hostile, application, own };
  }

  it('is shown by integration, application, person, tool, outcome and time', async () => {
    await addCalls();
    const page = await console.open('/console/activity');
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page
      .getByText('1,217 calls: 3 refused, 1 failed in Gatehouse, 1 failed upstream.')
      .waitFor();
    expect((await cellsOf(page, 'GitHub')).slice(2, 9)).toEqual([
      '1,212',
      '3',
      '1',
      '1',
      '18 ms',
      '24 ms',
      '25 ms',
    ]);
    await row(page, '<img src=x onerror=alert(1)>').getByText('5', { exact: true }).waitFor();
    expect(await page.locator('td :is(img, b)').count()).toBe(0);
    const tabs = page.getByRole('navigation', { name: 'What the table has rows for' });
    const callsBy = async (tab: string, name: string) => {
      await tabs.getByRole('link', { name: tab }).click();
      await row(page, name).first().waitFor();
      return Promise.all(
        (await rows(page).all()).map(async (each) => {
          const [first = '', , calls] = await each.locator('td').allInnerTexts();
          return [first.split('\n')[0], calls];
        }),
      );
    };
    expect(await callsBy('Applications', 'Cursor')).toEqual([
      ['Cursor', '1,212'],
      ['Mine', '5'],
    ]);
    expect(await callsBy('People', 'The owner')).toEqual([
      ['The owner', '1,210'],
      ['The member', '7'],
    ]);
    expect(await callsBy('Tools', 'search')).toEqual([
      ['list_issues', '1,201'],
      ['search', '7'],
      ['=1+1', '3'],
    ]);
    expect(await callsBy('Outcomes', 'Answered')).toEqual([
      ['Answered', '1,212'],
      ['Refused', '3'],
      ['Failed in Gatehouse', '1'],
      ['Failed upstream', '1'],
    ]);
    await tabs.getByRole('link', { name: 'Times' }).click();
    await expect.poll(() => rows(page).count()).toBe(25);
    await row(page, '1,217')
      .getByText(/^\d+ \w+, \d\d:00$/)
      .waitFor();
  });

  it('is read step by step by the arrow keys', async () => {
    await addCalls();
    const page = await console.open('/console/activity/usage');
    const calls = page.getByRole('slider', { name: 'Calls by hour' });
    await calls.focus();
    const said = () => calls.getAttribute('aria-valuetext');
    expect(await said()).toMatch(/^\d+ \w+, \d\d:00: 0 calls\.$/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(said).toMatch(/:00: 1,217 calls: 3 refused, 1 failed in Gatehouse, 1 failed/);
    await page
      .locator('figcaption')
      .getByText((await said()) ?? '')
      .waitFor();
    const durations = page.getByRole('slider', { name: 'Duration by hour' });
    const box = await durations.boundingBox();
    if (box === null) throw new Error('The picture is not in view.');
    // The third of 25 steps from the right.
    await page.mouse.move(box.x + (box.width * 22.5) / 25, box.y + box.height / 2);
    await expect
      .poll(() => durations.getAttribute('aria-valuetext'))
      .toMatch(/:00: Median 18 ms, p95 24 ms, p99 27 ms\.$/);
    await page.mouse.move(0, 0);
    await page.getByText('Median 18 ms, p95 24 ms, p99 27 ms.', { exact: true }).waitFor();
  });

  it('is narrowed in the URL, and a row leads to what is in it', async () => {
    const { github, application } = await addCalls();
    const page = await console.open('/console/activity/usage?rows=application');
    await page.getByRole('link', { name: 'Cursor' }).click();
    await page.waitForURL(new RegExp(`application=${application.id}`));
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.getByRole('search').getByRole('button', { name: 'Integration' }).click();
    const dialog = page.getByRole('dialog', { name: 'Calls of which integration?' });
    await dialog.getByRole('button', { name: /^GitHub/ }).click();
    await page.waitForURL(new RegExp(`integration=${github}`));
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await page.getByRole('menuitemradio', { name: 'Last hour' }).click();
    await page.getByText('No call of these ended in this time.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Application: Cursor' }).waitFor();
    await page.getByRole('button', { name: 'Integration: GitHub' }).waitFor();
    await page.getByRole('link', { name: 'Show all of the last 30 days' }).click();
    await page.getByText('1,217 calls:').first().waitFor();
    await page.getByText('Calls by day of UTC').waitFor();
    await page.goto('/console/activity/usage?span=x&rows=constructor&from=1&to=%00&application=9');
    await page.getByText('1,217 calls:').first().waitFor();
    await page.getByText('Calls by hour').waitFor();
  });

  it('says hours in the time zone of the reader, and that days are those of UTC', async () => {
    await addCalls();
    const page = await console.open('about:blank');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' });
    await page.goto('/console/activity/usage');
    const hours = page.getByRole('slider', { name: 'Calls by hour' });
    // Hours of UTC begin at half past there.
    expect(await hours.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+, \d\d:30: 0 calls\.$/);
    await page.goto('/console/activity/usage?span=month');
    const days = page.getByRole('slider', { name: 'Calls by day of UTC' });
    expect(await days.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+ \d{4}, UTC: /);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: '' });
  });

  it('is of any time between two others', async () => {
    await addCalls();
    const page = await console.open('/console/activity/usage');
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await page.getByRole('menuitemradio', { name: 'Between two times' }).click();
    const now = Date.now();
    const inHours = (hours: number) => new Date(now + hours * HOUR).toISOString().slice(0, 16);
    await page.getByLabel('From').fill(inHours(-1));
    await page.getByLabel('To').fill(inHours(-3));
    await page.getByText('The second time has to be after the first.').waitFor();
    await page.getByLabel('From').fill(inHours(-3));
    await page.getByLabel('To').fill(inHours(-1));
    await pressByKeyboard(page.getByRole('button', { name: 'Show', exact: true }));
    await page.waitForURL(/from=.*&to=/);
    await page.getByText('Calls by minute').waitFor();
    await page.getByText('1,217 calls:').first().waitFor();
    await page.reload();
    await page.getByText('Calls by minute').waitFor();
    expect(await page.getByLabel('To').inputValue()).toBe(inHours(-1));
  });

  it('says what is not kept', async () => {
    await addCalls();
    const page = await console.open('/console/activity/usage?span=hour&rows=person');
    await page
      .getByText('Minutes are not kept by tool or person: these are whole hours.')
      .waitFor();
    await page.getByText('Calls by hour').or(page.getByText('No call of these')).first().waitFor();
    await page.goto('/console/activity/usage?rows=outcome');
    await page.getByText('How long calls took is not kept by outcome.').waitFor();
    const { fixtures } = console.state.mocks;
    const { id: integrationId } = fixtures.addIntegration({ name: 'Busy' });
    const { application } = fixtures.addApplication({ name: 'Tools' });
    for (let tool = 0; tool < 101; tool += 1) {
      fixtures.addCalls({ applicationId: application.id, integrationId, tool: `tool_${tool}` });
    }
    await page.goto('/console/activity/usage?rows=tool');
    await page.getByText('These are the 100 with the most calls.').waitFor();
    await expect.poll(() => rows(page).count()).toBe(100);
  });

  it('is saved as a table of all steps, in which no name is a formula', async () => {
    const { application } = await addCalls();
    const page = await console.open(
      `/console/activity/usage?application=${application.id}&rows=tool`,
    );
    await row(page, '=1+1').waitFor();
    const table = await savedFile(page, () =>
      page.getByRole('button', { name: 'Export CSV' }).click(),
    );
    const lines = table.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + 3 * 25);
    expect(lines[0]).toBe(
      'Name,Id,From,Step,Calls,Refused,Failed in Gatehouse,Failed upstream,Bytes in,Bytes out,Median ms,p95 ms,p99 ms,Last error',
    );
    const [made] = lines.filter((line) => line.startsWith("'=1+1") && line.includes(',3,3,'));
    expect(made).toMatch(/^'=1\+1,'=1\+1,20[^,]+:00:00.000Z,hour,3,3,0,0,900,3000,2.5,4.7,4.9,$/);
  });

  it('of a member is their own, and that of an application of theirs', async () => {
    const { member, own } = await addCalls();
    console.state.token = member.token;
    const page = await console.open('/console/activity/usage?span=hour');
    await page.getByText('Calls by hour').or(page.getByText('No call')).first().waitFor();
    await page.goto('/console/activity/usage');
    await page.getByText('7 calls.', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    await page.goto(`/console/activity/usage?application=${own.id}`);
    await page.getByText('5 calls.', { exact: true }).waitFor();
    const ofAdmins = console.state.requests.filter((line) => /members|groups|graph/.test(line));
    expect(ofAdmins).toEqual([]);
  });

  it('of the last day is on Home, with what was refused', async () => {
    const { member, github, application, own } = await addCalls();
    for (const { id: applicationId } of [application, own]) {
      console.state.mocks.fixtures.addSession({ applicationId, integrationId: github });
    }
    const page = await console.open('/console');
    const day = page.getByRole('region', { name: 'Last 24 hours' });
    await day.getByText('1,217', { exact: true }).waitFor();
    expect(await day.locator('dd').allInnerTexts()).toEqual([
      '1,217\nthrough all applications',
      '3\n0.2% of all calls',
      '2\n1 upstream, 1 in Gatehouse',
      '18 ms\np99 27 ms',
    ]);
    await day.getByRole('slider', { name: 'Calls by hour' }).waitFor();
    const need = page.getByRole('listitem').filter({ hasText: '3 calls were refused' });
    await need.getByRole('link', { name: 'See why' }).click();
    await page.waitForURL(/\/activity\/log\?.*from=20/);
    await page.getByRole('button', { name: 'Outcome: Refused, for any reason' }).waitFor();
    console.state.token = member.token;
    await page.goto('/console');
    await day.getByText('of yours', { exact: true }).waitFor();
    await day.getByText('7', { exact: true }).waitFor();
    expect(await page.getByText('were refused').count()).toBe(0);
  });

  it('of the last day is in lists, by one request for each, and beside what it is of', async () => {
    const { github } = await addCalls();
    const asked = () => console.state.requests.filter((line) => line.endsWith('/usage')).length;
    const page = await console.open('/console/integrations');
    await row(page, 'GitHub').getByText('1,212', { exact: true }).waitFor();
    await row(page, 'GitHub').getByText('2 hours ago', { exact: true }).waitFor();
    await row(page, '<img src=x').getByText('5', { exact: true }).waitFor();
    expect(asked()).toBe(1);
    await page.goto('/console/applications?all=true&sort=-calls');
    await rows(page).first().getByText('1,212', { exact: true }).waitFor();
    expect(asked()).toBe(2);
    await rows(page).first().getByRole('link').click();
    const day = page.getByRole('region', { name: 'Last 24 hours' });
    await day
      .getByText('1,212 calls: 3 refused, 1 failed in Gatehouse, 1 failed upstream')
      .waitFor();
    await page.goto(`/console/integrations/${github}`);
    await day.getByText('Median 18 ms, p95 24 ms, p99 25 ms').waitFor();
    await day.getByText('2 hours ago').waitFor();
    await day.getByRole('link', { name: 'See usage' }).click();
    await page.getByRole('button', { name: 'Integration: GitHub' }).waitFor();
  });

  it('is reached by the command menu, also that of an open integration', async () => {
    const { github } = await addCalls();
    const page = await console.open(`/console/integrations/${github}`);
    await page.getByRole('heading', { name: 'GitHub', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Its usage' }).click();
    await page.getByRole('button', { name: 'Integration: GitHub' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Usage', exact: true }).click();
    await page.waitForURL(/\/activity\/usage$/);
  });
});
