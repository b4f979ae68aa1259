import {
  connectMcpClient,
  isBrowserMissing,
  removePerson,
  replaceSecret,
  revokeAccess,
} from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { ownerOf, useConsoleBrowser } from './console-browser.ts';
import { addApplication, addIntegration } from './fixture.ts';
import { hand, press } from './hand.ts';

const server = useServer();
const upstream = use(() => startUpstream());

describe.skipIf(isBrowserMissing())('access', () => {
  const browser = useConsoleBrowser(server);

  it('of an application is revoked, with a receipt', async () => {
    const id = await addIntegration(server, { url: upstream.url, authMode: 'none', name: 'Tools' });
    const { id: applicationId } = await addApplication(server, 'Runaway', [id]);
    const url = `${server.origin}/mcp/${applicationId}/${id}`;
    const client = await connectMcpClient({ url, era: 'legacy', bearer: server.owner });
    await client.listTools();

    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/applications/${applicationId}`);
    expect(await revokeAccess(page, hand, 'Runaway')).toBe('1');
    await expect(client.listTools()).rejects.toThrow();
  });

  it('by a client secret ends when the secret is replaced', async () => {
    const { id, clientId, clientSecret } = await addApplication(server, 'Worker', []);
    const tokenFor = async (secret: string) => {
      const response = await fetch(`${server.origin}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'mcp' }),
      });
      return response.status;
    };
    const before = await tokenFor(clientSecret);
    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/applications/${id}?tab=settings`);
    const replaced = await replaceSecret(page, hand);
    expect([before, await tokenFor(clientSecret), await tokenFor(replaced)]).toEqual([
      200, 401, 200,
    ]);
    expect(await page.content()).not.toContain(replaced);
  });

  it('of a person who leaves ends, and what is left to do is said', async () => {
    const id = await addIntegration(server, { url: upstream.url, authMode: 'none', name: 'Wiki' });
    const { id: applicationId } = await addApplication(server, 'Agent', [id]);
    const member = await server.addMember('member');
    const { name } = await server.store.db.user.findUniqueOrThrow({ where: { id: member.id } });
    const url = `${server.origin}/mcp/${applicationId}/${id}`;
    const client = await connectMcpClient({ url, era: 'legacy', bearer: member.token });
    await client.listTools();

    const page = await browser.openAs(await ownerOf(server));
    await page.goto('/console/people');
    await removePerson(page, hand, name);
    await expect(client.listTools()).rejects.toThrow();
    const me = await server.call('GET', '/me', { token: member.token });
    expect(me.status).toBe(401);
  });

  it('to a credential that was handed out is seen, and ended', async () => {
    const id = await addIntegration(server, {
      category: 'internal_mcp_credentials',
      url: 'https://api.example.com/v1',
      authMode: 'server_token',
      serverToken: 'key-of-everybody',
      name: 'Billing API',
    });
    const worker = await addApplication(server, 'Nightly job', [id], {
      scopes: ['mcp', 'credentials'],
    });
    const token = async (parameters: Readonly<Record<string, string>>) =>
      fetch(`${server.origin}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${worker.clientId}:${worker.clientSecret}`)}` },
        body: new URLSearchParams(parameters),
      });
    const own = await token({ grant_type: 'client_credentials', scope: 'credentials' });
    const { access_token: subjectToken } = (await own.json()) as { access_token: string };
    const exchange = () =>
      token({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: subjectToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource: 'https://api.example.com/v1',
      });
    const handedOut = await exchange();
    expect(handedOut.status, await handedOut.clone().text()).toBe(200);

    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/applications/${worker.id}?tab=sessions`);
    await press(page.getByRole('button', { name: 'End the session at Billing API' }));
    await page.getByText('The session is ended.').waitFor();
    expect((await exchange()).status).toBe(400);
  });
});
