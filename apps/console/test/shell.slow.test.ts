import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('the frame of the console', () => {
  const console = useConsole();

  const endSession = () => {
    console.state.token = undefined;
    console.state.fault = () => new Response(null, { status: 401 });
  };

  it('sends a person without a session to sign in, and back to the same view', async () => {
    console.state.token = undefined;
    const page = await console.open('/console/integrations?status=invalid');
    await page.waitForURL(/\/sign-in/);
    expect(new URL(page.url()).searchParams.get('return_to')).toBe(
      '/console/integrations?status=invalid',
    );
    expect(console.state.requests).toEqual([]);
  });

  it('keeps what was typed when the session ends, and goes on after signing in', async () => {
    const page = await console.open(`/console/integrations/${await console.idOf('Jira')}/edit`);
    await page.getByLabel('Name').fill('Jira of the second team');
    endSession();
    await page.getByText('You are signed out.').waitFor();
    const asked = console.state.requests.length;
    await page.waitForTimeout(6_000);
    expect(console.state.requests.length).toBe(asked);
    expect(await page.getByLabel('Name').inputValue()).toBe('Jira of the second team');

    console.state.token = console.state.mocks.tokens.owner;
    console.state.fault = undefined;
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Jira of the second team' }).waitFor();
  });

  it('keeps a URL that was typed when the session ends', async () => {
    const page = await console.open('/console/integrations/new');
    const url = page.getByLabel('URL of the MCP server');
    await url.fill('https://mcp.example.com/mcp');
    endSession();
    await page.getByText('You are signed out.').waitFor();
    expect(await url.inputValue()).toBe('https://mcp.example.com/mcp');
  });

  it('drops the form of a person when another one signs in, and sends no part of it', async () => {
    const { tokens } = console.state.mocks;
    const page = await console.open(`/console/integrations/${await console.idOf('Jira')}/edit`);
    await page.getByLabel('Name').fill('Jira of the owner');
    const questions: string[] = [];
    page.on('dialog', async (dialog) => {
      questions.push(dialog.type());
      await dialog.dismiss();
    });
    endSession();
    await page.getByText('You are signed out.').waitFor();
    console.state.token = tokens.admin;
    // The console cannot ask who it is before the form is sent.
    console.state.fault = ({ url }) => (url.endsWith('/me') ? new Promise(() => {}) : undefined);
    await page.evaluate(() => {
      const button = (name: string) =>
        [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
      button('I have signed in')?.click();
      button('Save')?.click();
    });
    await page.waitForURL(`${console.origin}/console`);
    expect(questions).toEqual([]);
    console.state.fault = undefined;
    await page.reload();
    await page.getByText('The admin', { exact: true }).first().waitFor();
    expect(console.state.requests.filter((line) => line.startsWith('PATCH'))).toEqual([]);
    expect(await page.getByText('Jira of the owner').count()).toBe(0);
  });

  it('shows another person nothing of the first', async () => {
    const page = await console.open('/console/integrations/new');
    await page.getByLabel('URL of the MCP server').fill('https://mcp.example.com/mcp');
    console.state.token = console.state.mocks.tokens.member;
    console.state.fault = ({ headers }) =>
      headers.get('authorization')?.endsWith(console.state.mocks.tokens.member)
        ? undefined
        : new Response(null, { status: 401 });
    await page.waitForURL(`${console.origin}/console/**`);
    await page.getByText('The member', { exact: true }).first().waitFor();
    expect(await page.getByText('mcp.example.com').count()).toBe(0);
  });

  it('gives a member no admin view, and asks for nothing of one', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open(
      `/console/integrations/${await console.idOf('GitHub')}?tab=tools`,
    );
    await page.getByRole('heading', { name: 'GitHub' }).waitFor();
    await page.goto('/console/integrations/new');
    await page.getByText('This view is for owners and admins.').waitFor();
    const admins = console.state.requests.filter((request) =>
      /tools|policy|graph|discover/.test(request),
    );
    expect(admins).toEqual([]);
  });

  it('keeps the chosen theme, and nothing else', async () => {
    const page = await console.open('/console/integrations');
    const theme = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await theme();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await theme();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await theme()).toBe(dark);
  });

  it('shows itself where the browser stores nothing', async () => {
    const page = await console.open('about:blank');
    await page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('The storage is blocked.', 'SecurityError');
        },
      }),
    );
    await page.goto('/console/integrations');
    await page.getByRole('button', { name: 'Dark' }).click();
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await expect.poll(theme).toBe('dark');
    // Its storage cannot be read by what runs after each test.
    await page.context().close();
  });

  it('says so when signing out has not ended the session', async () => {
    const page = await console.open('/console/integrations');
    await page.route('**/console/sign-out', (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in. The answer was HTTP 503.').waitFor();
    expect(page.url()).toBe(`${console.origin}/console/integrations`);
    await page.unroute('**/console/sign-out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${console.origin}/sign-in`);
  });

  it('has its navigation in a drawer where there is little room', async () => {
    const page = await console.open(`/console/integrations/${await console.idOf('GitHub')}`, {
      width: 360,
    });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page
      .getByRole('dialog', { name: 'Menu' })
      .getByRole('link', { name: 'Integrations' })
      .click();
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('asks for nothing while nobody looks', async () => {
    const page = await console.open('/console/integrations');
    await page.getByText('Linear').first().waitFor();
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const asked = console.state.requests.length;
    await page.waitForTimeout(6_000);
    expect(console.state.requests.length).toBe(asked);
  });

  it('says what an unknown address is', async () => {
    const page = await console.open('/console/nothing');
    await page.getByRole('heading', { name: 'There is no such view' }).waitFor();
  });
});
