import { connectMcpClient, isBrowserMissing } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { listKeys } from '../../../src/audit/signing-keys.ts';
import { verifyFile } from '../../../src/commands/audit/verify-file.ts';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { ownerOf, type Page, useConsoleBrowser } from './console-browser.ts';
import { addApplication, addIntegration } from './fixture.ts';
import { press } from './hand.ts';

const server = useServer();
const upstream = use(() => startUpstream());

const HOUR = 60 * 60_000;
const REFUSED = 'kind=call&outcome=refused,policy,limited,credential';

describe.skipIf(isBrowserMissing())('an administrator', () => {
  const browser = useConsoleBrowser(server);
  const event = (page: Page) => page.getByRole('complementary', { name: 'The event' });

  it('sees a refusal happen, and finds from Home who was refused what and why', async () => {
    const { id, applicationId } = await addGuarded();
    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/activity/log?${REFUSED}`);
    await page.getByText('No event matches these filters.').waitFor();

    const member = await server.addMember('member');
    const client = await connectMcpClient({
      url: `${server.origin}/mcp/${applicationId}/${id}`,
      era: 'legacy',
      bearer: member.token,
    });
    await client.callTool('echo', { text: 'refused' }).catch(() => undefined);
    await client.close();

    await page.getByRole('link', { name: 'tools/call echo' }).waitFor();
    await expect.poll(refusals).toBe(1);
    await page.goto('/console');
    await press(page.getByRole('link', { name: 'See why' }));
    await press(page.getByRole('link', { name: 'tools/call echo' }));
    await event(page).getByText('A rule denies this tool.').waitFor();
    await event(page).getByRole('link', { name: 'Guarded' }).waitFor();
    await press(event(page).getByRole('link', { name: 'Everything they did' }));
    await page.getByRole('link', { name: 'initialize', exact: true }).waitFor();
  });

  it('sees what was changed about an integration, and by whom', async () => {
    const { id } = await addGuarded();
    await server.call('PATCH', `/integrations/${id}`, { body: { name: 'Renamed' } });
    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/integrations/${id}?tab=history`);
    await press(page.getByRole('link', { name: 'Changed an integration' }));
    await event(page).locator('ins', { hasText: 'Renamed' }).waitFor();
  });

  it('exports what an auditor verifies with the public key alone', async () => {
    const page = await browser.openAs(await ownerOf(server));
    await page.goto('/console/activity/log');
    await press(page.getByRole('button', { name: 'Export…' }));
    const dialog = page.getByRole('dialog', { name: 'Export the audit' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(dialog.getByRole('button', { name: 'Export', exact: true })),
    ]);
    const [first] = await listKeys(server.store.db);
    const report = await verifyFile(await download.path(), { key: first?.publicKey });
    expect(report).toMatchObject({ verdict: 'verified', findings: [], keyChecked: true });
    expect(report.events).toBeGreaterThan(0);
  });

  /** Calls of the last hours that were refused, as Home counts them. */
  async function refusals(): Promise<number> {
    const [from, to] = [-24, 1].map((hours) => new Date(Date.now() + hours * HOUR).toISOString());
    const { body } = await server.call('GET', `/usage?from=${from}&to=${to}&step=hour`);
    return body.series[0]?.total.refusals ?? 0;
  }

  /** An integration with rules that deny the tool `echo`, and an application that may use it. */
  async function addGuarded() {
    const body = { url: upstream.url, authMode: 'none', name: 'Guarded' };
    const id = await addIntegration(server, body);
    await server.call('PUT', `/integrations/${id}/policy`, { body: { tools: { deny: ['echo'] } } });
    const { id: applicationId } = await addApplication(server, 'Cursor', [id]);
    return { id, applicationId };
  }
});
