import { setTimeout as delay } from 'node:timers/promises';
import { isBrowserMissing, pressByKeyboard } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { send } from '../demo/people.ts';
import { seenHoursAgo } from '../demo/verification.ts';
import { barriersOf, type Page, useConsole } from './support/console.ts';
import { problemOf } from './support/faults.ts';
import { savedFile } from './support/saved-file.ts';

const rows = (page: Page) => page.locator('tbody tr');
const row = (page: Page, ...texts: readonly string[]) =>
  texts.reduce((found, hasText) => found.filter({ hasText }), rows(page));
const filter = (page: Page, name: string | RegExp) =>
  page.getByRole('search').getByRole('button', { name });
const panel = (page: Page) => page.getByRole('complementary', { name: 'The event' });

describe.skipIf(isBrowserMissing())('the log', () => {
  const console = useConsole();

  const lists = () => console.state.requests.filter((line) => line.endsWith('/audit-events'));

  async function addCall(name: string, at?: string): Promise<void> {
    const applicationId = await console.idOf('Cursor');
    const integrationId = await console.idOf('GitHub');
    const when = at === undefined ? {} : { at };
    console.state.mocks.fixtures.addCallEvent({ applicationId, integrationId, name, ...when });
  }

  it('has changes and calls in one order, and hostile names are text', async () => {
    await addCall('newest');
    const page = await console.open('/console/activity/log');
    await row(page, 'tools/call newest', 'The owner', 'Cursor', 'GitHub', 'Answered').waitFor();
    await row(page, 'Validated an integration', 'Linear').first().waitFor();
    await page.goto('/console/activity/log?kind=call');
    await row(page, '<script>alert(5)</script>').first().waitFor();
    await row(page, '"><svg onload=alert(1)> <b>bold</b>').first().waitFor();
    expect(await page.locator('td :is(img, b, script)').count()).toBe(0);
  });

  it('leaves out that its reader has looked at it, says so, and shows it when asked', async () => {
    const page = await console.open('/console/activity/log');
    await row(page, 'Validated an integration').first().waitFor();
    await page.reload();
    await row(page, 'Validated an integration').first().waitFor();
    expect(await row(page, 'Read the audit').count()).toBe(0);
    await page.getByText('Your own looks at the log are recorded, and left out here.').waitFor();
    await page.getByRole('link', { name: 'Show them' }).click();
    await row(page, 'Read the audit', 'The owner').first().waitFor();
  });

  it('is narrowed in the URL as the API is asked, and a wrong value is left out', async () => {
    const page = await console.open('/console/activity/log');
    await filter(page, 'Outcome').click();
    await page.getByRole('menuitemradio', { name: 'Refused, for any reason' }).click();
    await page.waitForURL(/outcome=refused%2Cpolicy%2Climited%2Ccredential/);
    await expect.poll(() => rows(page).count()).toBe(3);
    await filter(page, /^Integration/).click();
    const dialog = page.getByRole('dialog', { name: 'Events of which integration?' });
    await dialog.getByRole('button', { name: /^Notion/ }).click();
    await page.getByText('No event matches these filters.').waitFor();
    await page.goto(page.url());
    await page.getByRole('button', { name: 'Integration: Notion' }).waitFor();
    await page.getByRole('button', { name: 'Outcome: Refused, for any reason' }).waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByLabel('Name of a tool, or id of a request').fill('run_query');
    await page.waitForURL(/tool=run_query/);
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goto('/console/activity/log?kind=x&from=yesterday&actorId=1&event=%00');
    await expect.poll(() => rows(page).count()).toBeGreaterThan(90);
  });

  it('has the events of a time that is chosen', async () => {
    await addCall('long_ago', '2026-01-02T10:30:00.000Z');
    const page = await console.open('/console/activity/log');
    await filter(page, 'Time').click();
    await page.getByRole('menuitem', { name: 'Between two times…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Events of which time?' });
    await dialog.getByLabel('From').fill('2026-01-03T00:00');
    await dialog.getByLabel('Until').fill('2026-01-01T00:00');
    await dialog.getByText('It has to be later than the beginning.').waitFor();
    await dialog.getByLabel('From').fill('2026-01-01T00:00');
    await dialog.getByLabel('Until').fill('2026-01-04T00:00');
    await dialog.getByRole('button', { name: 'Show them' }).click();
    await row(page, 'tools/call long_ago').waitFor();
    expect(await rows(page).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Follow' }).count()).toBe(0);
  });

  it('names the pattern that refused a call, its level, and who set it when', async () => {
    const { mocks } = console.state;
    const applicationId = await console.idOf('Cursor');
    const integrationId = await console.idOf('GitHub');
    const put = (name: 'admin' | 'owner', path: string, body: object) =>
      fetch(`${mocks.baseUrl}${path}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${mocks.tokens[name]}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    const path = `/integrations/${integrationId}/policy`;
    await put('admin', path, { tools: { deny: ['purge_*'] } });
    const call = { applicationId, integrationId, name: 'purge_all' };
    const refused = { ...call, outcome: 'policy', reasons: ['tool_denied'], status: 403 } as const;
    // Events of the same millisecond have no order.
    await delay(2);
    mocks.fixtures.addCallEvent(refused);
    await delay(2);
    await put('owner', path, { tools: { deny: ['other_*'] } });
    const page = await console.open('/console/activity/log');
    await page.getByRole('link', { name: 'tools/call purge_all' }).click();
    const why = panel(page).getByText('Rules of the integration: purge_*');
    await why.waitFor();
    expect(await why.textContent()).toContain('Set by The admin on');
    await page.getByRole('link', { name: /\d{4} at/ }).click();
    await panel(page).getByText('Changed rules of an integration').waitFor();
  });

  it('follows what happens at its top, and waits further down', async () => {
    const page = await console.open('/console/activity/log');
    // A page of 100, without the reader's own look.
    await expect.poll(() => rows(page).count()).toBe(99);
    await addCall('while_at_the_top');
    await row(page, 'while_at_the_top').waitFor();
    expect(await rows(page).count()).toBe(100);
    await rows(page).nth(60).scrollIntoViewIfNeeded();
    await page.getByText('New events wait until you are back at the top.').waitFor();
    const before = lists().length;
    await addCall('while_further_down');
    await page.waitForTimeout(6_000);
    expect(lists().length).toBe(before);
    await page.evaluate(() => window.scrollTo(0, 0));
    await row(page, 'while_further_down').waitFor();
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByText('New events are not loaded.').waitFor();
  });

  it('looks back page by page while nothing is found, and says how far it is', async () => {
    let pages = 0;
    console.state.fault = ({ url }) => {
      if (!url.includes('tool=rare')) return undefined;
      // The newest page is read again and again.
      if (url.includes('cursor=')) pages += 1;
      const reachedAt = new Date(Date.parse('2026-11-20T12:00:00Z') - pages * 60_000).toISOString();
      return Response.json({ items: [], nextCursor: `cursor ${pages}`, reachedAt });
    };
    const page = await console.open('/console/activity/log?tool=rare');
    await page.getByText('and found nothing so far').waitFor();
    expect(pages).toBe(10);
    await page.getByText('11:50:00').waitFor();
    await page.waitForTimeout(500);
    expect(pages).toBe(10);
    console.state.fault = ({ url }) =>
      url.includes('tool=rare') ? problemOf('rate_limited') : undefined;
    await page.getByRole('button', { name: 'Look further back' }).click();
    await page.getByText('Older events were not read.').waitFor();
    console.state.fault = ({ url }) =>
      url.includes('tool=rare')
        ? Response.json({ items: [], nextCursor: null, reachedAt: null })
        : undefined;
    await page.getByRole('button', { name: 'Look further back' }).click();
    await page.getByText('No event matches these filters.').waitFor();
  });

  it('loads older events as its end comes near', async () => {
    for (let call = 0; call < 250; call += 1) await addCall(`call_${call}`);
    const page = await console.open('/console/activity/log?kind=call');
    await expect.poll(() => rows(page).count()).toBe(100);
    const end = async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      return page.getByText(/back to/).count();
    };
    await expect.poll(end).toBe(0);
    expect(Number(await page.locator('table').getAttribute('aria-rowcount'))).toBeGreaterThan(250);
  });

  it('opens an event beside it, with why it was refused, by keyboard and by its URL', async () => {
    const page = await console.open('/console/activity/log?kind=call&outcome=policy');
    const link = page.getByRole('link', { name: 'tools/call delete_repository' }).first();
    await pressByKeyboard(link);
    await panel(page).getByText('A rule denies this tool.').waitFor();
    await page.waitForURL(/event=/);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('tools/call delete_repository');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h2');
    await pressByKeyboard(panel(page).getByRole('button', { name: 'Copy the event as JSON' }));
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('"outcome": "policy"');
    const address = page.url();
    await pressByKeyboard(panel(page).getByRole('button', { name: 'Close' }));
    await panel(page).waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('a');
    await page.goto(address);
    await panel(page).getByRole('link', { name: 'Li Wei' }).waitFor();
    await panel(page).getByRole('link', { name: 'See the rules' }).click();
    await page.getByRole('complementary', { name: 'What is chosen' }).waitFor();
  });

  it('shows what a change was, and everything of its request', async () => {
    const { mocks } = console.state;
    const id = await console.idOf('Warehouse');
    await send(mocks, 'PATCH', `/integrations/${id}`, { name: 'Storehouse' });
    const page = await console.open('/console/activity/log?action=integration.updated');
    await page.getByRole('link', { name: 'Changed an integration' }).first().click();
    await panel(page).locator('del', { hasText: 'Warehouse' }).waitFor();
    await panel(page).locator('ins', { hasText: 'Storehouse' }).waitFor();
    await panel(page).getByRole('link', { name: 'Storehouse' }).waitFor();
    await panel(page).getByRole('link', { name: 'Everything of this request' }).click();
    await page.waitForURL(/log\?requestId=/);
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  it('is the history of an integration and of an application', async () => {
    const { mocks } = console.state;
    const id = await console.idOf('GitHub');
    await send(mocks, 'PATCH', `/integrations/${id}`, { name: 'Forge' });
    const page = await console.open(`/console/integrations/${id}`);
    await page.getByRole('link', { name: 'History' }).click();
    await row(page, 'The owner', 'Changed an integration').waitFor();
    expect(await row(page, 'tools/call').count()).toBe(0);
    await page.getByRole('link', { name: 'With its calls, in the log' }).click();
    await row(page, 'tools/call').first().waitFor();
    await page.getByRole('button', { name: 'Integration: Forge' }).waitFor();
    await page.goto(await console.addressOf('/console/applications/{Nightly report}?tab=history'));
    await page.getByText('No change of it is recorded.').waitFor();
    await page.goto(await console.addressOf('/console/applications/{Cursor}?tab=history'));
    await page.getByRole('link', { name: 'Changed rules of an application' }).first().click();
    await panel(page).getByText('Cursor').first().waitFor();
    await expect.poll(() => rows(page).count()).toBeLessThan(10);
  });

  it('is reached from a session, a person and the command menu', async () => {
    const page = await console.open('/console/activity');
    await page.getByRole('link', { name: /^Calls like .* Li Wei at Notion/ }).click();
    await page.getByRole('button', { name: 'Person: Li Wei' }).waitFor();
    await page.getByRole('button', { name: 'Kind: Calls' }).waitFor();
    await page.goto('/console/people');
    await page.getByRole('button', { name: 'Actions for Sam Ortiz' }).click();
    await page.getByRole('menuitem', { name: 'Log' }).click();
    await row(page, 'Sam Ortiz', 'tools/call search').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('who did');
    await page.getByRole('option', { name: 'Log: who did what' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/activity\/log$/);
  });

  it('says when it was last verified, what that covers, and what is wrong', async () => {
    const { fixtures } = console.state.mocks;
    const page = await console.open('/console/activity/log');
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.getByText('164,280 calls and 312 changes in 8,214 blocks').waitFor();
    await page.getByText('A process ended by a crash').waitFor();
    await page.getByText('4 hours ago').waitFor();
    const verified = seenHoursAgo(1);
    const run = '01a21b82-0000-7000-8000-000000000000';
    const droppedUntil = { calls: '2026-08-29T00:00:00.000Z', management: null };
    fixtures.setAuditVerification({
      ...{ ...verified, verdict: 'failed', droppedUntil },
      findings: [{ code: 'block_missing', run, number: 7, message: '<b>Block 7</b> is missing.' }],
    });
    await page.reload();
    await page.getByText('Not verified', { exact: true }).waitFor();
    const found = page.getByRole('list', { name: 'What was found' });
    expect(await found.textContent()).toContain(`<b>Block 7</b> is missing. ${run}:7`);
    await page.getByText('No longer kept: calls until 29 Aug').waitFor();
    const help = page.getByRole('link', { name: 'What to do' });
    expect(await help.getAttribute('href')).toBe('/docs/run/alerts#gatehouseauditnotverified');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriersOf(page)).toEqual([]);
    }
    console.state.mocks.reset();
    await page.reload();
    await page.getByText('Not verified yet.').waitFor();
  });

  it('is exported whole, for the time that is looked at, and never in part', async () => {
    const page = await console.open('/console/activity/log?kind=call&from=2026-01-01T00:00:00Z');
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export the audit' });
    await dialog.getByText(/^gatehouse audit verify audit-.*ndjson --key audit.pub$/).waitFor();
    expect(await dialog.getByLabel('From').inputValue()).toBe('2026-01-01T00:00');
    expect(await barriersOf(page)).toEqual([]);
    const press = () => dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const isExport = ({ url }: Request) => url.includes('/audit-events/export');
    const headers = { 'content-type': 'text/x-ndjson' };
    console.state.fault = (request) =>
      isExport(request) ? new Response('{"type":"export"}\n{"ty', { headers }) : undefined;
    await press();
    await dialog.getByText('The export was cut off before its end.').waitFor();
    console.state.fault = (request) => (isExport(request) ? problemOf('forbidden') : undefined);
    await press();
    await dialog.getByText('Nothing was saved.').waitFor();
    console.state.fault = undefined;
    const lines = (await savedFile(page, press)).trimEnd().split('\n');
    await dialog.waitFor({ state: 'hidden' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ from: '2026-01-01T00:00:00.000Z' });
    expect(lines.some((line) => line.includes('"kind":"management"'))).toBe(true);
    await page.getByText('That you exported it is in the log.').waitFor();
  });

  it('says of a target that is gone that it is', async () => {
    const { mocks } = console.state;
    const { group } = await send<{ group: { id: string } }>(mocks, 'POST', '/groups', {
      name: 'Short-lived',
    });
    await send(mocks, 'DELETE', `/groups/${group.id}`);
    const page = await console.open('/console/activity/log?action=group.removed');
    await page.getByRole('link', { name: 'Removed a group' }).click();
    await panel(page).getByText('Short-lived (no longer exists)').waitFor();
    await page.goto('/console/activity/log?event=01a21b82-0000-7000-8000-000000000000');
    await panel(page).getByText('There is no such event.').waitFor();
  });

  it('says in sentences why a call was refused, and has the code where there is no sentence', async () => {
    const applicationId = await console.idOf('Cursor');
    const integrationId = await console.idOf('GitHub');
    const reasons = ['connection_required', 'needs_reauth', 'constructor'];
    const call = { applicationId, integrationId, outcome: 'credential', reasons, status: 200 };
    const { id } = console.state.mocks.fixtures.addCallEvent(call);
    const page = await console.open(`/console/activity/log?event=${id}`);
    await panel(page).getByText('The person has to connect an account first.').waitFor();
    await panel(page).getByText('The grant has ended, or the integration has moved.').waitFor();
    await panel(page).getByText('constructor', { exact: true }).waitFor();
    await panel(page).getByText('No credential').waitFor();
  });

  it.each([1440, 360])('has no barriers with an event open, at %i px', async (width) => {
    const { mocks } = console.state;
    const id = await console.idOf('Warehouse');
    await send(mocks, 'PATCH', `/integrations/${id}`, { name: 'W'.repeat(200) });
    const page = await console.open('/console/activity/log?action=integration.updated', { width });
    await page.getByRole('link', { name: 'Changed an integration' }).first().click();
    await panel(page).locator('ins', { hasText: 'WWW' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriersOf(page)).toEqual([]);
    }
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
  });

  it('is for admins alone, and asks nothing for others', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console/activity/log');
    await page.getByText('This view is for owners and admins.').waitFor();
    expect(lists()).toEqual([]);
    await page.goto('/console/activity');
    await page.getByText('There is no session yet.').waitFor();
    expect(await page.getByRole('link', { name: 'Log' }).count()).toBe(0);
  });
});
