import { connectAccount, connectMcpClient, isBrowserMissing } from '@gatehouse/harness';
import { startIdentityProvider, startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { copiedFrom, ownerOf, useConsoleBrowser } from './console-browser.ts';
import { addApplication, addIntegration } from './fixture.ts';
import { hand, press, type } from './hand.ts';

const CLIENT = { clientId: 'gatehouse', clientSecret: 'secret-at-the-provider' };
const key = 'key-of-the-member';

const server = useServer();
const registering = use(() => startIdentityProvider());
const byHand = use(() =>
  startIdentityProvider({ shape: 'github', registration: false, clientIdMetadata: false }),
);
const docs = use(() => startUpstream({ oauth: registering }));
const code = use(() => startUpstream({ oauth: byHand }));
const tracker = use(() => startUpstream({ requireBearer: key }));

describe.skipIf(isBrowserMissing())('accounts', () => {
  const browser = useConsoleBrowser(server);

  it('of a provider with a preset are connected with a client that an admin made there', async () => {
    const page = await browser.openAs(await ownerOf(server));
    await page.goto('/console/integrations/new');
    await type(page.getByLabel('URL of the MCP server'), code.url);
    await press(page.getByRole('button', { name: 'Look at it' }));
    await page.getByText('The provider does not register clients automatically').waitFor();
    await type(page.getByLabel('Name', { exact: true }), 'github');
    await press(page.getByRole('button', { name: 'Add integration' }));
    await page.getByRole('heading', { name: 'github', level: 1 }).waitFor();
    await press(page.getByRole('button', { name: 'Copy the redirect URI' }));
    const redirectUri = await copiedFrom(page);
    byHand.addClient({ ...CLIENT, redirectUris: [redirectUri], authMethod: 'client_secret_post' });
    await type(page.getByLabel('Client id'), CLIENT.clientId);
    await type(page.getByLabel('Client secret'), CLIENT.clientSecret);
    await press(page.getByRole('button', { name: 'Store the client' }));
    await page.getByText('Its secret is stored.').waitFor();

    await press(page.getByRole('link', { name: 'My connections' }));
    await press(page.getByRole('button', { name: 'Connect github' }));
    await press(page.getByRole('button', { name: /^Continue to/ }));
    await press(page.getByRole('button', { name: 'Allow' }));
    await page.getByRole('button', { name: 'Disconnect github' }).waitFor();
    expect(byHand.counts.grants).toBe(1);
  });

  it.each([1440, 360])('are connected from the link in a tool’s error: %i px', async (width) => {
    const id = await addIntegration(server, { url: docs.url, authMode: 'oauth', name: 'Docs' });
    const application = await addApplication(server, 'Agent', [id]);
    const member = await server.addMember('member');
    const client = await connectMcpClient({
      url: `${server.origin}/mcp/${application.id}/${id}`,
      era: 'legacy',
      bearer: member.token,
    });
    const failed = await client.callTool('whoami').catch(({ message }) => String(message));
    const link = /http\S+\/connect\S+/.exec(failed)?.[0] ?? '';

    const page = await browser.openAs(member, { width });
    await page.goto(link);
    await press(page.getByRole('button', { name: /^Continue to/ }));
    await press(page.getByRole('button', { name: 'Allow' }));
    await page.getByText('now works for you').waitFor();
    expect(await client.callTool('whoami')).toContain('ada');
    await page.goto('/console/connections');
    await page.getByRole('button', { name: 'Disconnect Docs' }).first().waitFor();
    await client.close();
  });

  it('are connected with a key at 360 px', async () => {
    await addIntegration(server, { url: tracker.url, authMode: 'user_token', name: 'Tracker' });
    const member = await server.addMember('member');
    const page = await browser.openAs(member, { width: 360 });
    await page.goto('/console/connections');
    await connectAccount(page, hand, 'Tracker', { 'Access token': key });
    expect(tracker.hasReceived(key)).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});
