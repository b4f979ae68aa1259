import { isBrowserMissing, pressByKeyboard } from '@gatehouse/harness';
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
    await dialog.getByText(/Nobody gains or loses access/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/tab=policy/);
    expect(await call('GET', `/integrations/${id}/policy`)).toEqual({
      policy: { tools: { deny: ['delete_*'] } },
    });
  });

  it('are changed by clicks in the list of tools, with the way to save them always in sight', async () => {
    const id = await console.idOf('GitHub');
    const page = await console.open(`/console/integrations/${id}/policy`);
    const denied = page.getByLabel('Denied tools');
    const next = page.getByRole('button', { name: 'See what changes' });
    const isInSight = () =>
      next.evaluate((button) => {
        const { top, bottom } = button.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    await pressByKeyboard(page.getByRole('button', { name: 'Deny for delete_repository' }));
    await page.getByText('4 of 5 allowed').waitFor();
    expect(await denied.inputValue()).toBe('delete_repository');
    expect(await isInSight()).toBe(true);
    await page.getByRole('button', { name: 'Allow for delete_repository' }).click();
    await page.getByText('5 of 5 allowed').waitFor();
    await denied.fill('*_repository');
    await page.getByRole('button', { name: 'Remove *_repository for delete_repository' }).click();
    expect(await denied.inputValue()).toBe('');
    await page.getByRole('checkbox', { name: 'Only some tools' }).check();
    await page.getByText('0 of 5 allowed').waitFor();
    await page.getByRole('button', { name: 'Allow for create_issue' }).click();
    expect(await page.getByLabel('Allowed tools').inputValue()).toBe('create_issue');
    await page.evaluate('scrollTo(0, 0)');
    expect(await isInSight()).toBe(true);
  });

  it('show who loses what, and what someone else saved meanwhile', async () => {
    const id = await console.idOf('GitHub');
    const page = await console.open(`/console/integrations/${id}/policy`);
    await page.getByRole('radio', { name: 'Only these people' }).check();
    await page.getByRole('checkbox', { name: 'Admin' }).check();
    await call('PUT', `/integrations/${id}/policy`, { prompts: { deny: ['draft_*'] } });
    await page.getByRole('button', { name: 'See what changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/lose access/).waitFor();
    await dialog.getByText(/^Cursor: /).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('These prompts are denied: draft_*.').waitFor();
    await page.getByRole('button', { name: 'Keep both changes' }).click();
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

  it('for one application stand beside those for every application', async () => {
    const id = await console.idOf('GitHub');
    const cursor = await console.idOf('Cursor');
    const page = await console.open(`/console/integrations/${id}/policy`);
    await page.getByText('5 of 5 allowed').waitFor();
    await page.getByLabel('Denied tools').fill('delete_*');
    await page.getByText('4 of 5 allowed').waitFor();
    await page.getByRole('button', { name: 'Add rules for one application' }).click();
    const picker = page.getByRole('dialog', { name: 'Rules for one application' });
    await picker.getByLabel('Search names').fill('cursor');
    await picker.getByRole('button', { name: 'Add Cursor' }).click();
    await page.waitForURL(new RegExp(`application=${cursor}`));
    await page.getByRole('checkbox', { name: 'Only some tools' }).check();
    await page.getByLabel('Allowed tools').fill('list_*\ndelete_*');
    // Denied for every application, and allowed in Cursor: both have to allow.
    await page.getByText('1 of 5 allowed').waitFor();
    await page.getByRole('link', { name: 'Every application' }).click();
    await page.getByText('4 of 5 allowed').waitFor();
    await page.getByRole('button', { name: 'See what changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'The rules of GitHub' });
    await dialog
      .getByText('In Cursor: Only these tools may be used: list_* and delete_*.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Additional rules apply to 1 application.').waitFor();
    expect(await call('GET', `/integrations/${id}/policy`)).toEqual({
      policy: {
        tools: { deny: ['delete_*'] },
        perApplication: { [cursor]: { tools: { allow: ['list_*', 'delete_*'] } } },
      },
    });
  });

  it('limit how often it may be called, each person or everyone together', async () => {
    const [id, cursor] = [await console.idOf('GitHub'), await console.idOf('Cursor')];
    const page = await console.open(`/console/integrations/${id}/policy`);
    const perMinute = page.getByLabel('Requests a minute');
    const save = page.getByRole('button', { name: 'See what changes' });
    for (const wrong of ['0', '100001', '1.5', 'many']) {
      await perMinute.fill(wrong);
      await page.getByText('Must be a whole number from 1 to 100,000.').waitFor();
      await save.click();
      expect([wrong, await page.getByRole('dialog').count()]).toEqual([wrong, 0]);
    }
    await perMinute.fill('1200');
    await page.getByText('For everyone together, across all applications.').waitFor();
    await page.getByRole('button', { name: 'Add rules for one application' }).click();
    const picker = page.getByRole('dialog', { name: 'Rules for one application' });
    await picker.getByRole('button', { name: 'Add Cursor' }).click();
    await page.getByText('For each person in this application.').waitFor();
    await page.getByLabel('Requests at once').fill('5');
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'The rules of GitHub' });
    await dialog.getByText('Everyone together may make at most 1,200 requests a minute.').waitFor();
    await dialog.getByText('In Cursor: Each person may make at most 5 requests at once.').waitFor();
    await dialog.getByText(/Nobody gains or loses/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/tab=policy/);
    await page.getByText('Everyone together may make at most 1,200 requests a minute.').waitFor();
    expect(await call('GET', `/integrations/${id}/policy`)).toEqual({
      policy: {
        limits: { perMinute: 1_200 },
        perApplication: { [cursor]: { limits: { concurrent: 5 } } },
      },
    });
  });

  it('keep a limit that is not touched, and join one that someone else set meanwhile', async () => {
    const [application, github] = [await console.idOf('Cursor'), await console.idOf('GitHub')];
    const path = `/applications/${application}/integrations/${github}/policy`;
    await call('PUT', path, { limits: { perMinute: 60 } });
    const page = await console.open(`/console${path}`);
    expect(await page.getByLabel('Requests a minute').inputValue()).toBe('60');
    await page.getByRole('radio', { name: 'Only these people' }).check();
    await page.getByRole('checkbox', { name: 'Admin' }).check();
    await call('PUT', path, { limits: { perMinute: 30, concurrent: 2 } });
    await page.getByRole('button', { name: 'See what changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('Each person may make at most 30 requests a minute and 2 requests at once.')
      .waitFor();
    await page.getByRole('button', { name: 'Keep both changes' }).click();
    expect(await page.getByLabel('Requests a minute').inputValue()).toBe('30');
    await page.getByRole('button', { name: 'See what changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/tab=integrations/);
    expect(await call('GET', path)).toEqual({
      policy: { roles: ['admin'], limits: { perMinute: 30, concurrent: 2 } },
    });
  });

  it('of an attachment are edited by its owner, a member, who reads nothing of admins', async () => {
    const { tokens, fixtures } = console.state.mocks;
    const { application } = fixtures.addApplication({ name: 'Mine' }, { token: tokens.member });
    const github = await console.idOf('GitHub');
    fixtures.attach(application.id, github);
    console.state.token = tokens.member;
    const path = `/applications/${application.id}/integrations/${github}/policy`;
    const page = await console.open(`/console${path}`);
    await page.getByText('Only admins can see which tools the server has').waitFor();
    await page.getByLabel('Denied tools').fill('delete_*');
    await page.getByLabel('Try a tool name').fill('delete_repository');
    await page.getByText('Refused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'See what changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Only admins can see who gains or loses access.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/tab=integrations/);
    expect(await call('GET', path)).toEqual({ policy: { tools: { deny: ['delete_*'] } } });
    const admins = /\/tools|integrations\/[\w-]+\/policy$|what-if|\/members/;
    const asked = console.state.requests.map((line) => line.replace(path, ''));
    expect(asked.filter((line) => admins.test(line))).toEqual([]);
  });

  it('of an integration are a sentence for a member, and nothing is fetched', async () => {
    const address = await console.addressOf('/console/integrations/{GitHub}/policy');
    console.state.token = console.state.mocks.tokens.member;
    console.state.requests.length = 0;
    const page = await console.open(address);
    await page.getByText('This view is for owners and admins.').waitFor();
    await page.waitForTimeout(300);
    expect(console.state.requests.filter((line) => !line.endsWith('/me'))).toEqual([]);
  });

  it('are edited and saved by keyboard alone', async () => {
    const id = await console.idOf('GitHub');
    const page = await console.open(`/console/integrations/${id}/policy`);
    await page.getByText('5 of 5 allowed').waitFor();
    await page.getByRole('radio', { name: /^Everyone/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    const isOwner = page.getByRole('checkbox', { name: 'Owner' });
    await expect.poll(() => isOwner.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Add groups' }).focus();
    await page.keyboard.press('Enter');
    const picker = page.getByRole('dialog', { name: 'Add groups' });
    await picker.getByRole('button', { name: 'Add Support' }).waitFor();
    await page.keyboard.type('Support');
    await expect.poll(() => picker.getByRole('listitem').count()).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove Support' }).waitFor();
    await page.getByLabel('Denied tools').focus();
    await page.keyboard.type('merge_*');
    await page.getByRole('button', { name: 'See what changes' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'The rules of GitHub' });
    await dialog.getByText('the members of Support').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/tab=policy/);
    expect(await call('GET', `/integrations/${id}/policy`)).toEqual({
      policy: {
        roles: ['owner'],
        groups: [await console.idOf('Support')],
        tools: { deny: ['merge_*'] },
      },
    });
  });

  it('name hostile people, groups, applications and tools as text', async () => {
    const id = await console.idOf('GitHub');
    console.state.mocks.fixtures.addTool({
      integrationId: id,
      name: '<img src=x onerror=alert(9)>',
      fingerprint: 'f'.repeat(64),
    });
    const page = await console.open(`/console/integrations/${id}/policy`);
    await page.getByText('<img src=x onerror=alert(9)>', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Only these people' }).check();
    for (const [kind, name] of [
      ['groups', '<script>alert(3)</script> & friends'],
      ['people', '<img src=x onerror=alert(2)>'],
      ['people', 'אנה 安娜 🏳️‍🌈'],
    ] as const) {
      await page.getByRole('button', { name: `Add ${kind}` }).click();
      const picker = page.getByRole('dialog', { name: `Add ${kind}` });
      await picker.getByRole('button', { name: `Add ${name}`, exact: true }).click();
      await picker.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: `Remove ${name}`, exact: true }).waitFor();
    }
    await page.getByLabel('Denied tools').fill('<b>*</b>\n"><svg onload=alert(4)>');
    await page.getByRole('button', { name: 'Add rules for one application' }).click();
    await page.getByRole('button', { name: 'Add "><svg onload=alert(1)> <b>bold</b>' }).click();
    await page.getByRole('link', { name: '"><svg onload=alert(1)> <b>bold</b>' }).waitFor();
    await page.getByRole('button', { name: 'See what changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'The rules of GitHub' });
    await dialog.getByText('the members of <script>alert(3)</script> & friends').waitFor();
    await dialog.getByText('<b>*</b> and "><svg onload=alert(4)>').waitFor();
    expect(
      await page.locator('main :is(img, b, script), [role=dialog] :is(img, b, script)').count(),
    ).toBe(0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('the members of <script>alert(3)</script> & friends').waitFor();
    expect(await page.locator('main :is(img, b, script)').count()).toBe(0);
  });
});
