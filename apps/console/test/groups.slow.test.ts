import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('groups', () => {
  const console = useConsole();

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const { baseUrl, tokens } = console.state.mocks;
    return fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  const membersOf = async (name: string) => {
    const response = await call('GET', `/groups/${await console.idOf(name)}/members`);
    const { items } = (await response.json()) as { items: { name: string }[] };
    return items.map((member) => member.name);
  };

  it('are listed and searched, and hostile names are text', async () => {
    const page = await console.open('/console/groups');
    await page.getByText('<script>alert(3)</script> & friends', { exact: true }).waitFor();
    const sales = page.getByRole('row').filter({ hasText: 'Sales' });
    await sales.getByText('Identity provider').waitFor();
    await page.getByLabel('Search names').fill('plat');
    await page.waitForURL(/name=plat/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Platform' }).click();
    await page.getByRole('heading', { name: 'Platform', level: 1 }).waitFor();
  });

  it('are created, and people are added by a search', async () => {
    const page = await console.open('/console/groups');
    await page.getByRole('button', { name: 'Create group' }).click();
    const form = page.getByRole('dialog', { name: 'Create a group' });
    await form.getByLabel('Name').fill('SUPPORT');
    await form.getByRole('button', { name: 'Create group' }).click();
    await form.getByText('Another group has this name.').waitFor();
    await form.getByLabel('Name').fill('Night shift');
    await form.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('heading', { name: 'Night shift', level: 1 }).waitFor();
    await page.getByText('Nobody is in the group yet.').waitFor();
    await page.getByRole('button', { name: 'Add people' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add to Night shift' });
    await dialog.getByLabel('Search names and addresses').fill('wei');
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Add Li Wei' }).click();
    await dialog.getByText('Nobody else has this name or address.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Li Wei').waitFor();
    expect(await membersOf('Night shift')).toEqual(['Li Wei']);
  });

  it('lose a member at once, which can be undone', async () => {
    const page = await console.open(`/console/groups/${await console.idOf('Platform')}`);
    await page.getByRole('button', { name: 'Remove Jon Park' }).click();
    await page.getByText('Jon Park is no longer in Platform.').waitFor();
    expect(await membersOf('Platform')).toEqual(['Li Wei']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Jon Park is in Platform again.').waitFor();
    expect(await membersOf('Platform')).toContain('Jon Park');
  });

  it('are read-only where the provider decides, and say so', async () => {
    const page = await console.open(`/console/groups/${await console.idOf('Sales')}`);
    await page.getByText('cn=sales,ou=groups,dc=example,dc=com').waitFor();
    await page.getByText(/Nobody whom the provider puts/).waitFor();
    expect(await page.getByRole('button', { name: 'Add people' }).count()).toBe(0);
  });

  it('are renamed, and show what another admin changed meanwhile', async () => {
    const id = await console.idOf('Platform');
    const page = await console.open(`/console/groups/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Platform' });
    await dialog.getByLabel('Name').fill('Platform team');
    await call('PATCH', `/groups/${id}`, { name: 'Infrastructure' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/the name is Infrastructure/).waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Platform team');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Platform team' }).waitFor();
  });

  it('say which policies name them instead of being deleted', async () => {
    const id = await console.idOf('Support');
    const page = await console.open(`/console/groups/${id}`);
    const named = page.getByRole('region', { name: 'Where it is named' });
    await named.getByRole('link', { name: 'Reports' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Support?' });
    await dialog.getByText('Policies name the group. Remove it from them first.').waitFor();
    await dialog.getByRole('link', { name: 'Reports' }).click();
    await page.waitForURL(/\/integrations\/.*tab=policy/);
    await page.getByText(/the members of Support/).waitFor();
  });

  it('are deleted where no policy names them', async () => {
    const page = await console.open(`/console/groups/${await console.idOf('Platform')}`);
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Platform is deleted.').waitFor();
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Platform' }).count()).toBe(0);
  });

  it('are nothing that a member sees or asks for', async () => {
    const id = await console.idOf('Platform');
    console.state.token = console.state.mocks.tokens.member;
    for (const path of ['/console/groups', `/console/groups/${id}`]) {
      console.state.requests.length = 0;
      const page = await console.open(path);
      await page.getByText('This view is for owners and admins.').waitFor();
      expect(console.state.requests.filter((request) => /groups|members/.test(request))).toEqual(
        [],
      );
    }
  });
});
