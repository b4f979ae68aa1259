import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('settings', () => {
  const console = useConsole();

  it('show what runs, with the variable and the page that change it', async () => {
    const page = await console.open('/console/settings');
    const limits = page.getByRole('region', { name: 'Limits' });
    await limits.getByText('600 a minute').waitFor();
    await limits.getByText('24 hours').waitFor();
    await limits.getByText('GATEHOUSE_RATE_LIMIT').waitFor();
    const link = page.getByRole('link', { name: 'How to change it (Database)' });
    expect(await link.getAttribute('href')).toBe('/docs/run/configuration#database');
    await page.getByRole('region', { name: 'Store' }).getByText('PostgreSQL 17.2').waitFor();
    const nodes = page.getByRole('region', { name: 'Nodes' });
    await nodes.getByText('answers you').waitFor();
    expect(await nodes.getByText(', older').count()).toBe(0);
    await page.getByRole('region', { name: 'Keys' }).getByText('mock', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Sign-in' }).getByText('Off').first().waitFor();
  });

  it('mark a node with an older version, which Home says too; its name is text', async () => {
    const name = '"><b>old</b>:9';
    console.state.mocks.fixtures.addNode({ name, version: '0.0.0-alpha' });
    const page = await console.open('/console');
    const need = page.getByRole('listitem').filter({ hasText: 'runs an older version' });
    await need.getByText(`${name} runs an older version`).waitFor();
    await need.getByRole('link', { name: 'See the nodes' }).click();
    await page.waitForURL(/\/settings$/);
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText('0.0.0-alpha, older').waitFor();
    expect(await page.locator('td b').count()).toBe(0);
  });

  it('are for admins, and nothing is fetched for a member', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console/settings');
    await page.getByText('This view is for owners and admins.').waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await page.goto('/console');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(500);
    expect(console.state.requests.filter((one) => one.includes('installation'))).toEqual([]);
  });
});
