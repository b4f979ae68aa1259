import { readFile } from 'node:fs/promises';
import { isBrowserMissing } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('applications', () => {
  const console = useConsole();

  it('list names in one line without turning each other, whichever way they are written', async () => {
    const { fixtures } = console.state.mocks;
    const { application } = fixtures.addApplication({ name: 'Mixed' });
    const names = ['יומן', 'Docs 2', 'מפות'];
    for (const name of names) {
      const { id: integrationId } = fixtures.addIntegration({ name });
      fixtures.attach(application.id, integrationId);
    }
    const page = await console.open('/console/applications?all=true');
    const isolated = page.locator('tr', { hasText: 'Mixed' }).locator('bdi');
    await expect.poll(() => isolated.allTextContents()).toEqual(names);
  });

  it('are made for a client, with all that it needs', async () => {
    const page = await console.open('/console/applications/new');
    await page.getByRole('link', { name: 'VS Code' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('VS Code');
    expect(await page.getByLabel('Redirect URIs').inputValue()).toContain(
      'https://vscode.dev/redirect',
    );
    await page.getByRole('button', { name: 'Add application' }).click();
    await page.getByRole('heading', { name: 'VS Code' }).waitFor();
    await page.getByRole('link', { name: 'Attach an integration' }).click();
    await page.getByRole('button', { name: 'Attach integrations' }).click();
    await page.getByRole('button', { name: 'Attach Weather' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Connect a client' }).click();
    await page.getByText(`${console.origin}/mcp/`).first().waitFor();
  });

  it('show a secret once, and never again', async () => {
    const page = await console.open('/console/applications/new');
    await page.getByLabel('Name', { exact: true }).fill('My program');
    await page.getByRole('button', { name: 'Add application' }).click();
    const dialog = page.getByRole('dialog', { name: 'The client secret' });
    const secret = (await dialog.getByText(/^gh_cs_/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Copy the client secret' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'My program' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Parts of the application' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.getByText('Stored').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(page.url()).not.toContain('gh_');

    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    expect(await page.getByText(/^gh_cs_/).textContent()).not.toBe(secret);
  });

  it('say that a secret was not shown to a person who went on while it was made', async () => {
    const page = await console.open('/console/applications/new');
    await page.getByLabel('Name', { exact: true }).fill('My program');
    let release = () => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    console.state.fault = ({ method }) => (method === 'POST' ? held : undefined);
    await page.getByRole('button', { name: 'Add application' }).click();
    await page.getByRole('button', { name: 'Adding…' }).waitFor();
    await page.getByRole('link', { name: 'Groups', exact: true }).click();
    await page.waitForURL(/groups$/);
    release();
    await page.getByText('My program is added. Its client secret was not shown').waitFor();
    expect(page.url()).toMatch(/groups$/);
  });

  it('keep a secret in view until its button says that it is stored', async () => {
    const id = await console.idOf('Nightly report');
    const page = await console.open('/console/applications');
    await page.getByRole('link', { name: 'Nightly report' }).click();
    await page
      .getByRole('navigation', { name: 'Parts of the application' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    const dialog = page.getByRole('dialog', { name: 'The client secret' });
    const secret = (await dialog.getByText(/^gh_cs_/).textContent()) ?? '';
    await page.keyboard.press('Escape');
    await dialog.getByText('Close it by its buttons').waitFor();
    await page.mouse.click(5, 5);
    await page.evaluate(() => history.back());
    await page.waitForTimeout(500);
    expect(await dialog.getByText(secret).isVisible()).toBe(true);
    expect(page.url()).toContain(`/applications/${id}?tab=settings`);

    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download the client secret' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Nightly report client secret.txt');
    expect(await readFile(await file.path(), 'utf8')).toBe(`${secret}\n`);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await expect.poll(() => page.getByText(secret).count()).toBe(0);
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
  });

  it('have snippets for each client, copied with one button', async () => {
    const page = await console.open(`/console/applications/${await console.idOf('Cursor')}`);
    await page
      .getByRole('navigation', { name: 'Client' })
      .getByRole('link', { name: 'Codex' })
      .click();
    await page.waitForURL(/client=codex/);
    await page.getByRole('button', { name: 'Copy Codex for Linear' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^\[mcp_servers\.linear\]\nurl = "http/);
  });

  it('say whether nothing has a name, or whether all of it is attached', async () => {
    const page = await console.open(
      `/console/applications/${await console.idOf('Cursor')}?tab=integrations&ask=attach`,
    );
    const dialog = page.getByRole('dialog', { name: 'Attach to Cursor' });
    await dialog.getByRole('searchbox').fill('no such name');
    await dialog.getByText('No integration has this name.').waitFor();
    await dialog.getByRole('searchbox').fill('GitHub');
    await dialog.getByText('Everything with this name is attached.').waitFor();
  });

  it('are detached after it was shown what ends', async () => {
    const id = await console.idOf('Support assistant');
    const page = await console.open(`/console/applications/${id}?tab=integrations`);
    await page.getByRole('button', { name: 'Detach Jira' }).click();
    const dialog = page.getByRole('dialog', { name: 'Detach Jira?' });
    await dialog.getByText(/Its sessions there end at once/).waitFor();
    await dialog.getByRole('button', { name: 'Detach', exact: true }).click();
    await page.getByText('Jira is detached.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Detach Jira' }).count()).toBe(0);
  });

  it('show who loses what before they are detached or archived, which needs no preview', async () => {
    const id = await console.idOf('Cursor');
    const page = await console.open(`/console/applications/${id}?tab=integrations`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Detach GitHub' }).click();
    await dialog.getByText(/^\d+ people lose access\.$/).waitFor();
    await dialog.getByText(/The admin/).waitFor();
    await dialog.getByRole('region', { name: 'What ends' }).getByText('Open sessions').waitFor();
    await dialog.getByRole('button', { name: 'Keep it' }).click();

    console.state.fault = ({ url }) =>
      /what-if|sessions\/end/.test(url) ? unavailable() : undefined;
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await dialog.getByText('It is not known who would lose access.').waitFor();
    await dialog.getByText('It is not known which sessions would end.').waitFor();
    console.state.fault = undefined;
    await dialog.getByRole('button', { name: 'Try again' }).first().click();
    await dialog.getByText(/^\d+ people lose access\.$/).waitFor();
    await dialog.getByText('It is not known which sessions would end.').waitFor();
    await dialog.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('Cursor is archived.').waitFor();
  });

  it('lose all access with a receipt', async () => {
    const page = await console.open(`/console/applications/${await console.idOf('Cursor')}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Revoke access' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke all access of Cursor?' });
    const ends = dialog.getByRole('region', { name: 'What ends' });
    await ends.getByText('Open sessions').waitFor();
    await ends.getByText('2', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Revoke access' }).click();
    const receipt = page.getByRole('dialog', { name: 'Access of Cursor is revoked' });
    await receipt.getByText('Open sessions').waitFor();
    await receipt.getByText('2', { exact: true }).first().waitFor();
  });

  it('end one session', async () => {
    const page = await console.open(
      `/console/applications/${await console.idOf('Cursor')}?tab=sessions`,
    );
    await page.getByRole('button', { name: 'End the session at GitHub' }).first().click();
    await page.getByText('The session is ended.').waitFor();
    await page.getByText('Revoked').waitFor();
  });

  it('show what someone else changed meanwhile, and keep what was typed', async () => {
    const id = await console.idOf('Cursor');
    const page = await console.open(`/console/applications/${id}?tab=settings`);
    await page.getByLabel('Name', { exact: true }).fill('Cursor of Ana');
    const { baseUrl, tokens } = console.state.mocks;
    await fetch(`${baseUrl}/applications/${id}/oauth`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allowDynamicClients: false }),
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else changed it while you were here.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Cursor of Ana');
    expect(await page.getByRole('checkbox').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Cursor of Ana' }).waitFor();
  });

  it('say what is saved and what is not, and send only the rest again', async () => {
    const id = await console.idOf('Cursor');
    const page = await console.open(`/console/applications/${id}?tab=settings`);
    await page.getByLabel('Name', { exact: true }).fill('Cursor of Ana');
    await page.getByRole('checkbox').uncheck();
    const writes = () => console.state.requests.filter((line) => line.startsWith('PATCH'));
    console.state.fault = ({ method, url }) =>
      method === 'PATCH' && url.endsWith(id) ? unavailable() : undefined;
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The database cannot be reached.').waitFor();
    await alert.getByText('The redirect URIs and the choice below them are saved.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Cursor of Ana');
    expect(await page.getByRole('checkbox').isChecked()).toBe(false);
    console.state.fault = undefined;
    console.state.requests.length = 0;
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Cursor of Ana' }).waitFor();
    expect(writes()).toEqual([`PATCH /api/v1/applications/${id}`]);
    await page.reload();
    await page.getByRole('checkbox').waitFor();
    expect(await page.getByRole('checkbox').isChecked()).toBe(false);
  });

  it('have limits of all their callers, which are set, kept and removed', async () => {
    const id = await console.idOf('Cursor');
    const { baseUrl, tokens } = console.state.mocks;
    const headers = {
      authorization: `Bearer ${tokens.admin}`,
      'content-type': 'application/json',
    };
    const url = `${baseUrl}/applications/${id}`;
    const limits = async () => (await (await fetch(url, { headers })).json()).application.limits;
    const page = await console.open(`/console/applications/${id}?tab=settings`);
    const [perMinute, atOnce] = [
      page.getByLabel('Requests a minute'),
      page.getByLabel('Requests at once'),
    ];
    const save = page.getByRole('button', { name: 'Save' });
    await atOnce.fill('1001');
    await page.getByText('Must be a whole number from 1 to 1,000.').waitFor();
    await save.click();
    expect(await limits()).toBeNull();
    await atOnce.fill('10');
    await perMinute.fill('600');
    await save.click();
    await expect.poll(limits).toEqual({ perMinute: 600, concurrent: 10 });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await perMinute.fill('500');
    const body = JSON.stringify({ name: 'Cursor of Jon' });
    await fetch(url, { method: 'PATCH', headers, body });
    await save.click();
    await page.getByText('Someone else changed it while you were here.').waitFor();
    expect(await perMinute.inputValue()).toBe('500');
    await atOnce.fill('');
    await save.click();
    await expect.poll(limits).toEqual({ perMinute: 500 });
    await page.getByRole('heading', { name: 'Cursor of Jon' }).waitFor();
    await perMinute.fill('');
    await save.click();
    await expect.poll(limits).toBeNull();
  });

  it('keep what is typed while a change is saved', async () => {
    const id = await console.idOf('Cursor');
    const page = await console.open(`/console/applications/${id}?tab=settings`);
    const perMinute = page.getByLabel('Requests a minute');
    const uris = page.getByLabel('Redirect URIs');
    let release = () => {};
    const held = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    console.state.fault = ({ method }) => (method === 'PATCH' ? held : undefined);
    await perMinute.fill('600');
    await uris.fill('https://one.example/callback');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await perMinute.fill('700');
    await uris.fill('https://two.example/callback');
    release();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.reload();
    expect(await perMinute.inputValue()).toBe('700');
    expect(await uris.inputValue()).toBe('https://two.example/callback');
  });

  it('are shown to a member as far as they are theirs', async () => {
    console.state.token = console.state.mocks.tokens.member;
    const page = await console.open('/console/applications?all=true');
    await page.getByText('There is no application yet.').waitFor();
    expect(console.state.requests.filter((request) => /graph|tools/.test(request))).toEqual([]);
  });
});

function unavailable(): Response {
  const { status, body } = problem('database_unavailable');
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
