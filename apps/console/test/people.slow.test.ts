import { isBrowserMissing } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';
import { savedFile } from './support/saved-file.ts';

const rows = (page: Page) => page.locator('tbody tr');

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe.skipIf(isBrowserMissing())('people', () => {
  const console = useConsole();

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const { baseUrl, tokens } = console.state.mocks;
    return fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function memberNamed(name: string) {
    const { items } = (await (await call('GET', '/members?limit=100')).json()) as {
      items: { id: string; name: string; role: string }[];
    };
    return items.find((member) => member.name === name);
  }

  it('are searched and filtered by the URL, and hostile names are text', async () => {
    const page = await console.open('/console/people');
    await page.getByText('<img src=x onerror=alert(2)>', { exact: true }).waitFor();
    expect(await page.locator('td img').count()).toBe(0);
    await page.getByLabel('Search names and addresses').fill('park jon');
    await page.waitForURL(/find=park/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.goto('/console/people?role=owner&sort=-name');
    await page.getByText('Ana Moreau').waitFor();
    expect(await rows(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Role: Owner' }).waitFor();
    await page.goto('/console/people?find=nobody-has-this');
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByText('Li Wei').waitFor();
  });

  it('lead to why someone may not use something in two clicks', async () => {
    const page = await console.open('/console/people');
    await page.getByRole('link', { name: 'Access of Li Wei' }).click();
    const first = page.locator('tbody tr').first();
    await first.filter({ hasText: 'Refused' }).waitFor();
    // Why is said in the line already, and in sentences beside it.
    const reason = 'The last validation of the integration failed.';
    await first.getByText(reason).waitFor();
    await first.getByRole('link').click();
    const side = page.getByRole('complementary', { name: 'What is chosen' });
    await side.getByText('Li Wei may not use it.').waitFor();
    await side.getByText(reason).waitFor();
    expect(page.url()).toMatch(/forUserId=.*focus=.*other=/);
  });

  it('are more than one page holds', async () => {
    for (let each = 0; each < 100; each += 1) console.state.mocks.fixtures.addMember('member');
    const page = await console.open('/console/people');
    const end = page.getByText('The first 100 people are loaded.');
    await end.scrollIntoViewIfNeeded();
    await expect.poll(() => rows(page).count()).toBe(109);
  });

  it('are saved as a table, as far as the filters leave them, and no name is a formula', async () => {
    const hostile = await memberNamed('Sam Ortiz');
    await call('PATCH', `/members/${hostile?.id}`, { name: '@SUM(1+1)' });
    for (let each = 0; each < 100; each += 1) console.state.mocks.fixtures.addMember('admin');
    const page = await console.open('/console/people?role=member');
    const table = await savedFile(page, () =>
      page.getByRole('button', { name: 'Export CSV' }).click(),
    );
    const [head, ...lines] = table.trimEnd().split('\r\n');
    expect(head).toBe('Person,E-mail address,Role,Added,User');
    expect(lines).toHaveLength(5);
    expect(table).toContain("'@SUM(1+1),person-3@example.com,Member,20");
    expect(table).toContain('<img src=x onerror=alert(2)>,person-4@example.com,Member,20');
  });

  it('are not saved as a table where they cannot be read', async () => {
    const page = await console.open('/console/people');
    await page.getByText('Li Wei').waitFor();
    console.state.fault = () => unavailable();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByText('Nothing was saved. The database cannot be reached.').first().waitFor();
  });

  it('are invited with a link that is shown once', async () => {
    const page = await console.open('/console/people');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('Must be an e-mail address.').waitFor();
    await dialog.getByLabel('E-mail address').fill('person-0@example.com');
    await dialog.getByLabel('Name').fill('Mika Sato');
    await dialog.getByRole('radio', { name: 'Admin' }).check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('A member has this address.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Mika Sato');
    await dialog.getByLabel('E-mail address').fill('mika@example.com');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const done = page.getByRole('dialog', { name: 'Mika Sato is invited' });
    await done.getByRole('button', { name: 'Copy the invitation link' }).click();
    await done.getByText('Copied').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/\/sign-in\/link\//);
    await done.getByRole('button', { name: 'I have sent it' }).click();
    await page.getByText('mika@example.com').waitFor();
    expect(await page.content()).not.toContain(link);
    expect(await memberNamed('Mika Sato')).toMatchObject({ role: 'admin' });
  });

  it('get another link, for what it is needed', async () => {
    const page = await console.open('/console/people');
    await choose(page, 'Li Wei', 'Sign-in link');
    const dialog = page.getByRole('dialog', { name: 'Sign-in link for Li Wei' });
    await dialog.getByRole('radio', { name: /^New password/ }).check();
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText(/\/sign-in\/link\//).waitFor();
    await dialog.getByText(/minutes|1 hour/).waitFor();
    await dialog.getByText(/person-2@example.com/).waitFor();
  });

  it('get another role', async () => {
    const page = await console.open('/console/people');
    await choose(page, 'Sam Ortiz', 'Edit');
    const dialog = page.getByRole('dialog', { name: 'Edit Sam Ortiz' });
    expect(await dialog.getByRole('radio', { name: 'Member' }).isChecked()).toBe(true);
    await dialog.getByRole('radio', { name: 'Admin' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Sam Ortiz is saved.').waitFor();
    expect(await memberNamed('Sam Ortiz')).toMatchObject({ role: 'admin' });
  });

  it('lose their access with a receipt, and stay members', async () => {
    const page = await console.open('/console/people');
    await choose(page, 'The member', 'Revoke access');
    await page.getByRole('button', { name: 'Revoke access' }).click();
    const receipt = page.getByRole('dialog', { name: 'Access of The member is revoked' });
    const tokens = receipt.locator('dl > div').filter({ hasText: 'Access and refresh tokens' });
    expect(await tokens.locator('dd').textContent()).toBe('1');
    await receipt.getByRole('button', { name: 'Close' }).click();
    expect(await memberNamed('The member')).toBeDefined();
  });

  it('are removed after their name was typed, and what is left to do is said', async () => {
    const { token } = console.state.mocks.fixtures.addMember('member');
    const { application } = console.state.mocks.fixtures.addApplication(
      { name: 'Robot', oauth: { type: 'confidential', redirectUris: [] } },
      { token },
    );
    const userId = application.ownerUserId;
    await call('PATCH', `/members/${userId}`, { name: 'Rae Robot' });
    const integrationId = await console.idOf('GitHub');
    console.state.mocks.fixtures.addConnection({ integrationId, userId });
    console.state.mocks.fixtures.addSession({
      applicationId: application.id,
      integrationId,
      userId,
    });
    const groupId = await console.idOf('Platform');
    await call('PUT', `/groups/${groupId}/members/${application.ownerUserId}`, {});

    const page = await console.open('/console/people');
    await choose(page, 'Rae Robot', 'Remove');
    const dialog = page.getByRole('dialog', { name: 'Remove Rae Robot?' });
    await dialog.getByText('Of their applications these stay, for admins: Robot.').waitFor();
    const ending = dialog.getByRole('region', { name: 'What ends' });
    expect(await ending.locator('dt').allInnerTexts()).toEqual([
      'Connected accounts, with the stored credentials\nGitHub',
      'Personal access tokens and invitations\nFixture',
      'Places in groups\nPlatform',
      'Open sessions',
    ]);
    expect(await ending.locator('dd').allInnerTexts()).toEqual(['1', '1', '1', '1']);
    await dialog.getByLabel('Type Rae Robot to remove them').fill('Rae');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('This is not the name.').waitFor();
    expect(await memberNamed('Rae Robot')).toBeDefined();
    await dialog.getByLabel('Type Rae Robot to remove them').fill('Rae Robot');
    await page.keyboard.press('Enter');
    const receipt = page.getByRole('dialog', { name: 'Rae Robot is removed' });
    await receipt.getByText('Robot', { exact: true }).waitFor();
    await receipt.getByText('Platform', { exact: true }).waitFor();
    expect(await memberNamed('Rae Robot')).toBeUndefined();
  });

  it('are removed with a preview that is read again if it failed', async () => {
    console.state.fault = ({ url }) => (url.includes('/access') ? unavailable() : undefined);
    const page = await console.open('/console/people');
    await choose(page, 'The member', 'Remove');
    const dialog = page.getByRole('dialog', { name: 'Remove The member?' });
    await dialog.getByText('The database cannot be reached.').waitFor();
    console.state.fault = undefined;
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('They own no application.').waitFor();
  });

  it('leave owners to owners', async () => {
    console.state.token = console.state.mocks.tokens.admin;
    const page = await console.open('/console/people');
    const owner = page.getByRole('row').filter({ hasText: 'Ana Moreau' });
    await owner.getByText('Changed by owners').waitFor();
    expect(await owner.getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('radio', { name: 'Admin' }).waitFor();
    expect(await page.getByRole('radio', { name: /^Owner/ }).count()).toBe(0);
  });

  it('do not lock themselves out', async () => {
    const page = await console.open('/console/people');
    await page.getByRole('button', { name: 'Actions for The owner', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Edit',
      'Sign-in link',
      'Log',
    ]);
  });

  it('are nothing that a member sees or asks for', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console/people');
    await page.getByText('This view is for owners and admins.').waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    expect(console.state.requests.filter((request) => /members|groups/.test(request))).toEqual([]);
  });
});

function unavailable(): Response {
  const { status, body } = problem('database_unavailable');
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
