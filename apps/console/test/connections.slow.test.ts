import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('my connections', () => {
  const console = useConsole();
  const connectionOf = async (name: string) => {
    const { baseUrl, tokens } = console.state.mocks;
    const response = await fetch(`${baseUrl}/integrations/${await console.idOf(name)}/connection`, {
      headers: { authorization: `Bearer ${tokens.owner}` },
    });
    return ((await response.json()) as { connection: { connected: boolean } }).connection;
  };

  it('show first what needs the person, and why', async () => {
    const page = await console.open('/console/connections');
    const first = page.getByRole('region').first();
    await first.getByRole('heading', { name: 'Needs you' }).waitFor();
    await first.getByText('The server rejected the credential.').waitFor();
    await first.getByRole('button', { name: 'Connect again Linear' }).waitFor();
  });

  it('are made with several values, by the link that a client shows', async () => {
    const page = await console.open(`/console/connections?connect=${await console.idOf('Jira')}`);
    const dialog = page.getByRole('dialog', { name: 'Connect Jira' });
    await dialog.getByText('The part before .atlassian.example').waitFor();
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog
      .getByText(/required/i)
      .first()
      .waitFor();
    await dialog.getByLabel('Site').fill('acme');
    await dialog.getByLabel('API key').fill('secret-of-ana');
    await dialog.getByLabel('Region').selectOption('eu');
    expect(await dialog.getByLabel('API key').getAttribute('type')).toBe('password');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Jira is connected.').waitFor();
    expect(await connectionOf('Jira')).toMatchObject({ connected: true });
    expect(await page.content()).not.toContain('secret-of-ana');
  });

  it('show what a link names, also where it is not among the first hundred', async () => {
    const { fixtures } = console.state.mocks;
    const id = await console.idOf('Linear');
    for (let n = 0; n < 100; n += 1) fixtures.addIntegration({ name: `Other ${n}` });
    const page = await console.open(`/console/connections?connect=${id}`);
    await page.getByRole('button', { name: /^Connect( again)? Linear$/ }).waitFor();
    const more = page.getByText('The first 100 integrations are loaded.');
    expect((await more.textContent())?.trim()).toBe('The first 100 integrations are loaded.');
  });

  it('say so where a link names nothing', async () => {
    const nowhere = '0190a000-0000-7000-8000-000000000000';
    const page = await console.open(`/console/connections?connect=${nowhere}`);
    await page.getByRole('alert').getByText('There is no such integration.').waitFor();
    await page.getByText('GitHub', { exact: true }).first().waitFor();
  });

  it('say at its field what was wrong with a value, and lose nothing typed', async () => {
    const page = await console.open('/console/connections');
    await page.getByRole('button', { name: 'Connect Jira' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Site').fill('acme');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await expect.poll(() => dialog.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByLabel('Site').inputValue()).toBe('acme');
  });

  it('are made at the provider, and come back to the same view', async () => {
    const page = await console.open('/console/connections');
    await page.getByRole('button', { name: 'Connect Figma' }).click();
    await page.waitForURL(/\/connect\//);
    expect(page.url()).not.toContain('gh_');
  });

  it('are tested, and say in a sentence what came of it', async () => {
    console.state.mocks.setConnectionTest(await console.idOf('Stripe'), {
      status: 'invalid',
      message: 'Your token was rejected.',
    });
    const page = await console.open('/console/connections');
    await page.getByRole('button', { name: 'Test Stripe' }).click();
    await page.getByText('Stripe: Your token was rejected.').waitFor();
  });

  it('end after what stops working was shown', async () => {
    const page = await console.open('/console/connections');
    await page.getByRole('button', { name: 'Disconnect GitHub' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect GitHub?' });
    await dialog.getByText('It stops working for you in Cursor.').waitFor();
    await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByText('GitHub is disconnected.').waitFor();
    expect(await connectionOf('GitHub')).toMatchObject({ connected: false });
  });

  it('say which applications of others a person uses them through', async () => {
    const { fixtures, tokens, baseUrl } = console.state.mocks;
    console.state.token = tokens.member;
    const headers = { authorization: `Bearer ${tokens.member}` };
    const me = (await (await fetch(`${baseUrl}/me`, { headers })).json()) as {
      user: { id: string };
    };
    const of = { integrationId: await console.idOf('GitHub'), userId: me.user.id };
    fixtures.addConnection(of);
    fixtures.addSession({ ...of, applicationId: await console.idOf('Cursor') });
    const page = await console.open('/console/connections');
    await page.getByRole('button', { name: 'Disconnect GitHub' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect GitHub?' });
    await dialog.getByText('It stops working for you in Cursor.').waitFor();
    expect(console.state.requests.filter((request) => /graph/.test(request))).toEqual([]);
  });

  it('are made by keyboard alone', async () => {
    const page = await console.open('/console/connections');
    await page.getByRole('button', { name: 'Connect PagerDuty' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null))
      .toBe(true);
    await page.getByLabel('Access token').focus();
    await page.keyboard.type('key-of-ana');
    await page.keyboard.press('Enter');
    await page.getByText('PagerDuty is connected.').waitFor();
  });

  it('are another place for each person', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console/connections');
    await page.getByRole('heading', { name: 'Not connected' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Connected', exact: true }).count()).toBe(0);
  });
});
