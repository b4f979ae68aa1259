import {
  connectMcpClient,
  isBrowserMissing,
  repairIntegration,
  tryWithout,
} from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { ownerOf, useConsoleBrowser } from './console-browser.ts';
import { addApplication, addIntegration } from './fixture.ts';
import { hand, press, type } from './hand.ts';

const server = useServer();
const first = use(() => startUpstream({ requireBearer: 'first-key' }));
const upstream = use(() => startUpstream());

describe.skipIf(isBrowserMissing())('an administrator', () => {
  const browser = useConsoleBrowser(server);

  it('forbids a tool, and a person finds out why a call is refused', async () => {
    const id = await addIntegration(server, { url: upstream.url, authMode: 'none', name: 'Tools' });
    const { id: applicationId } = await addApplication(server, 'Cursor', [id]);
    await server.call('POST', `/integrations/${id}/validate`);
    const member = await server.addMember('member');
    const client = await connectMcpClient({
      url: `${server.origin}/mcp/${applicationId}/${id}`,
      era: 'legacy',
      bearer: member.token,
    });
    expect(await client.callTool('echo', { text: 'before' })).toBe('before');

    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/applications/${applicationId}?tab=integrations`);
    await press(page.getByRole('link', { name: 'Rules of Tools' }));
    await type(page.getByLabel('Denied tools'), 'echo');
    await press(page.getByRole('button', { name: 'See what changes' }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save' }));
    await page.waitForURL(/tab=integrations/);

    const refusal = await client
      .callTool('echo', { text: 'after' })
      .catch(({ message }) => String(message));
    expect(refusal).toContain('A rule denies this tool.');
    expect(await client.listTools()).not.toContain('echo');
    await page.goto(`/console/access?focus=${applicationId}&other=${id}&forUserId=${member.id}`);
    const chosen = page.getByRole('complementary', { name: 'What is chosen' });
    await chosen.getByText('These tools are denied: echo.').waitFor();
    await client.close();
  });

  it('limits how often people call, and one who calls more reads when to try again', async () => {
    const id = await addIntegration(server, { url: upstream.url, authMode: 'none', name: 'Busy' });
    const { id: applicationId } = await addApplication(server, 'Caller', [id]);
    const member = await server.addMember('member');
    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/applications/${applicationId}?tab=integrations`);
    await press(page.getByRole('link', { name: 'Rules of Busy' }));
    await type(page.getByLabel('Requests a minute'), '2');
    await press(page.getByRole('button', { name: 'See what changes' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Each person may make at most 2 requests a minute.').waitFor();
    await press(dialog.getByRole('button', { name: 'Save' }));
    await page.waitForURL(/tab=integrations/);

    const client = await connectMcpClient({
      url: `${server.origin}/mcp/${applicationId}/${id}`,
      era: 'legacy',
      bearer: member.token,
    });
    const calls = Array.from({ length: 6 }, () => client.callTool('echo', { text: 'again' }));
    const refused = (await Promise.allSettled(calls)).flatMap((call) =>
      call.status === 'rejected' ? [String(call.reason)] : [],
    );
    expect(refused[0]).toMatch(
      /The limit of requests a minute for one person is used up\. Try again in \d+ seconds?\./,
    );
    await client.close();
    await expect.poll(() => refusalsOf(applicationId)).toBe(refused.length);
    await page.goto(`/console/activity/usage?application=${applicationId}`);
    await page.getByText(`${refused.length} refused`).first().waitFor();
  });

  it('asks who would lose what, and nothing has changed', async () => {
    const id = await addIntegration(server, { url: upstream.url, authMode: 'none', name: 'Asked' });
    const { id: applicationId } = await addApplication(server, 'Reader', [id]);
    await server.addMember('member');
    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/access?focus=${applicationId}&other=${id}`);
    await tryWithout(page, hand);
    const { body } = await server.call('GET', `/applications/${applicationId}`);
    expect(body.application.integrations).toHaveLength(1);
  });

  it('repairs a broken integration from what needs attention', async () => {
    await makeFirstCall();
    const id = await addIntegration(server, {
      url: first.url,
      authMode: 'server_token',
      serverToken: 'expired-key',
      name: 'Billing',
    });
    await server.call('POST', `/integrations/${id}/validate`);
    const page = await browser.openAs(await ownerOf(server));
    await page.goto('/console');
    await repairIntegration(page, hand, 'Billing', {
      label: /^Token/,
      value: 'first-key',
      status: 'Valid',
    });
    await page.goto(`/console/integrations/${id}?tab=prompts`);
    await page.getByText('test_simple_prompt', { exact: true }).waitFor();
  });

  /** Calls through an application that were refused in the last hour. */
  async function refusalsOf(applicationId: string): Promise<number> {
    const hour = 60 * 60_000;
    const [from, to] = [-hour, hour].map((ago) => new Date(Date.now() + ago).toISOString());
    const path = `/usage?from=${from}&to=${to}&step=hour&applicationId=${applicationId}`;
    const { body } = await server.call('GET', path);
    return body.series[0].total.refusals;
  }

  /** Until then the console shows its first steps. */
  async function makeFirstCall(): Promise<void> {
    const id = await addIntegration(server, { url: upstream.url, authMode: 'none', name: 'Used' });
    const { id: applicationId } = await addApplication(server, 'User', [id]);
    const url = `${server.origin}/mcp/${applicationId}/${id}`;
    const client = await connectMcpClient({ url, era: 'legacy', bearer: server.owner });
    await client.close();
  }
});
