import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('rules', () => {
  const console = useConsole();

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { baseUrl, tokens } = console.state.mocks;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  it('of an integration judge its tools while they are typed, and are saved', async () => {
    const id = await console.idOf('GitHub');
    const page = await console.open(`/console/integrations/${id}?tab=policy`);
    await page.getByRole('link', { name: 'Edit rules' }).click();
    const heading = page.getByRole('heading', { name: 'Rules of GitHub', level: 1 });
    await heading.waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Rules of GitHub');
    await page.getByText('5 of 5 allowed').waitFor();
    await page.getByLabel('Denied tools').fill('delete_*');
    await page.getByText('4 of 5 allowed').waitFor();
    await page.getByRole('button', { name: 'See what changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'The rules of GitHub' });
    await dialog.getByText('These tools are denied: delete_*.').waitFor();
    await dialog.getByText(/Nobody loses or gains/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/tab=policy/);
    expect(await call('GET', `/integrations/${id}/policy`)).toEqual({
      policy: { tools: { deny: ['delete_*'] } },
    });
  });

  it('show who loses what, and what someone else saved meanwhile', async () => {
    const id = await console.idOf('GitHub');
    const page = await console.open(`/console/integrations/${id}/policy`);
    await page.getByRole('radio', { name: 'Only these people' }).check();
    await page.getByRole('checkbox', { name: 'Admin' }).check();
    await call('PUT', `/integrations/${id}/policy`, { prompts: { deny: ['draft_*'] } });
    await page.getByRole('button', { name: 'See what changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/lose the use of it/).waitFor();
    await dialog.getByText(/^Cursor: /).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('These prompts are denied: draft_*.').waitFor();
    await page.getByRole('button', { name: 'Continue with both changes' }).click();
    await page.getByRole('button', { name: 'See what changes' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/tab=policy/);
    expect(await call('GET', `/integrations/${id}/policy`)).toEqual({
      policy: { roles: ['admin'], prompts: { deny: ['draft_*'] } },
    });
  });

  it('of an attachment are reached from its application, and removed', async () => {
    const application = await console.idOf('Cursor');
    const github = await console.idOf('GitHub');
    const path = `/applications/${application}/integrations/${github}/policy`;
    await call('PUT', path, { tools: { allow: ['list_*'] } });
    const page = await console.open(`/console/applications/${application}?tab=integrations`);
    await page.getByRole('link', { name: 'Rules of GitHub' }).click();
    await page.getByText('1 of 5 allowed').waitFor();
    await page.getByRole('button', { name: 'Remove all rules' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all rules' }).click();
    await page.waitForURL(/tab=integrations/);
    expect(await call('GET', path)).toEqual({ policy: {} });
  });

  it('of an attachment show what someone else saved, also after its access was looked at', async () => {
    const application = await console.idOf('Cursor');
    const github = await console.idOf('GitHub');
    const path = `/applications/${application}/integrations/${github}/policy`;
    await call('PUT', path, { tools: { allow: ['list_*'] } });
    const page = await console.open(`/console/access?focus=${application}&other=${github}`);
    await page.getByText('Only these tools may be used: list_*.').waitFor();
    await page.getByRole('link', { name: 'Applications', exact: true }).click();
    await page.getByRole('link', { name: 'Cursor' }).click();
    const parts = page.getByRole('navigation', { name: 'Parts of the application' });
    await parts.getByRole('link', { name: /^Integrations/ }).click();
    await page.getByRole('link', { name: 'Rules of GitHub' }).click();
    await page.getByLabel('Denied tools').fill('delete_*');
    await call('PUT', path, { prompts: { deny: ['draft_*'] } });
    await page.getByRole('button', { name: 'See what changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('These prompts are denied: draft_*.').waitFor();
    expect(await call('GET', path)).toEqual({ policy: { prompts: { deny: ['draft_*'] } } });
  });
});
