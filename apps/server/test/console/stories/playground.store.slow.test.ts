import { isBrowserMissing } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { ownerOf, useConsoleBrowser } from './console-browser.ts';
import { addApplication, addIntegration } from './fixture.ts';
import { press, type } from './hand.ts';

const server = useServer();
const key = 'key-of-the-organization';
const upstream = use(() => startUpstream({ requireBearer: key }));

describe.skipIf(isBrowserMissing())('the playground', () => {
  const browser = useConsoleBrowser(server);

  it.each([
    ['modern', 'MCP 2026-07-28'],
    ['legacy', 'MCP 2025-11-25'],
  ])('calls a tool through the gateway, as the person: %s', async (era, version) => {
    const id = await addIntegration(server, {
      url: upstream.url,
      authMode: 'server_token',
      serverToken: key,
      name: `Tools ${era}`,
    });
    const { id: applicationId } = await addApplication(server, `Tester ${era}`, [id]);
    await server.call('POST', `/integrations/${id}/validate`);
    const before = upstream.requests.length;
    const page = await browser.openAs(await ownerOf(server));
    await page.goto(
      `/console/playground?application=${applicationId}&integration=${id}&era=${era}&name=echo`,
    );
    await page.getByText(version).first().waitFor();
    await type(page.getByLabel('text', { exact: false }).first(), 'a word');
    await press(page.getByRole('button', { name: 'Call it' }));
    await page.getByText('Answered').waitFor();
    await page.getByText('a word', { exact: true }).first().waitFor();

    const sent = upstream.requests.slice(before).flatMap(({ headers }) => Object.values(headers));
    expect(sent.filter((value) => /gh_[a-z]+_/.test(String(value)))).toEqual([]);
    const { body } = await server.call('GET', `/applications/${applicationId}/sessions`);
    expect(body.items).toMatchObject([{ era, integrationId: id }]);
    await press(page.getByRole('button', { name: 'Sign out' }));
    await page.waitForURL(/sign-in/);
  });

  it('calls through the one URL of an application, as the person', async () => {
    const bearer = { authMode: 'server_token', serverToken: key };
    const id = await addIntegration(server, { url: upstream.url, name: 'One', ...bearer });
    const refused = await addIntegration(server, { url: upstream.url, name: 'Two', ...bearer });
    const { id: applicationId } = await addApplication(server, 'All', [id, refused]);
    await server.call('PATCH', `/integrations/${refused}`, { body: { serverToken: 'wrong' } });
    const page = await browser.openAs(await ownerOf(server));
    await page.goto(`/console/playground?application=${applicationId}&integration=all`);
    await page
      .getByRole('region', { name: 'Integrations with problems' })
      .getByText('Two')
      .waitFor();
    await press(page.getByRole('link', { name: /^one__echo/ }));
    await type(page.getByLabel('text', { exact: false }).first(), 'a word');
    await press(page.getByRole('button', { name: 'Call it' }));
    await page.getByText('Answered').waitFor();
    await page.getByText('a word', { exact: true }).first().waitFor();
    await press(page.getByRole('link', { name: 'Prompts' }));
    await page
      .getByRole('link', { name: /^one__/ })
      .first()
      .waitFor();
    await press(page.getByRole('link', { name: 'Resources' }));
    await page.getByText('Resources of All').waitFor();
  });
});
