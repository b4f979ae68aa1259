import { isBrowserMissing } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';
import { savedFile } from './support/saved-file.ts';

describe.skipIf(isBrowserMissing())('my tokens', () => {
  const console = useConsole();
  const works = async (token: string) => {
    const response = await fetch(`${console.state.mocks.baseUrl}/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.ok;
  };

  it('are listed with what they may do, in words, and hostile names are text', async () => {
    const page = await console.open('/console/tokens');
    const row = page.getByRole('row').filter({ hasText: '"><b>Laptop</b>' });
    await row.getByText('mcp and management:write').waitFor();
    await row.getByText('Never used', { exact: true }).waitFor();
    expect(await page.locator('td b').count()).toBe(0);
  });

  it('are searched and filtered by the URL', async () => {
    const page = await console.open('/console/tokens?unused=true');
    await page.getByLabel('Search names').fill('SHOP');
    await page.waitForURL(/name=SHOP/);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Search names').fill('nothing has this');
    await page.getByText('No token matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
  });

  it('are created with a name, scopes and an end, and their secret is shown once', async () => {
    const page = await console.open('/console/tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a token' });
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Choose at least one.').waitFor();
    expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Name').fill('Nightly job');
    await dialog.getByLabel('management:read').check();
    await dialog.getByLabel('How long it works').selectOption('Until a date');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect
      .poll(() => dialog.getByLabel('Last day').getAttribute('aria-invalid'))
      .toBe('true');
    await dialog.getByLabel('Last day').fill('2099-12-31');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const done = page.getByRole('dialog', { name: 'Nightly job is created' });
    await done.getByRole('button', { name: 'Copy the token' }).click();
    await done.getByText('Copied').waitFor();
    const secret = await page.evaluate(() => navigator.clipboard.readText());
    expect(secret).toMatch(/^gh_pat_/);
    expect(await works(secret)).toBe(true);
    await done.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Nightly job' });
    await row.getByText('management:read', { exact: true }).waitFor();
    await row.getByRole('cell', { name: '31 December 2099', exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('are not lost by a click beside the dialog, neither while they are typed nor when they are shown', async () => {
    const page = await console.open('/console/tokens');
    const open = () => page.getByRole('button', { name: 'Create token' }).click();
    await open();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await open();
    const dialog = page.getByRole('dialog');
    // Typed and clicked beside before the browser does anything else.
    await dialog.getByLabel('Name').evaluate(async () => {
      document.execCommand('insertText', false, 'Nightly job');
      await Promise.resolve();
      for (const type of ['pointerdown', 'mousedown', 'click'])
        document
          .elementFromPoint(5, 5)
          ?.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: 5, clientY: 5 }));
    });
    await dialog.getByRole('alert').getByText('what is in it would be lost').waitFor();
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Nightly job');
    await dialog.getByLabel('management:read').check();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = (await dialog.getByText(/^gh_pat_/).textContent()) ?? '';
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await savedFile(page, () => dialog.getByText('Download').click())).toBe(`${secret}\n`);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('say at its field what the service found wrong, and keep what was typed', async () => {
    const page = await console.open('/console/tokens');
    console.state.fault = ({ method }) =>
      method === 'POST' ? refusal('validation_failed', '/name') : undefined;
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Nightly job');
    await page.getByLabel('management:read').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Not this one.').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Nightly job');
  });

  it('are revoked by keyboard after what stops working was shown', async () => {
    const page = await console.open('/console/tokens');
    await page.getByRole('button', { name: 'Revoke Deployments of the shop' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Revoke Deployments of the shop?' });
    await dialog.getByText('It was never used.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Revoke Deployments of the shop' }).click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Deployments of the shop is revoked.').waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
  });

  it('say what a failure was, and try again', async () => {
    console.state.fault = ({ url }) =>
      url.includes('/tokens') ? refusal('database_unavailable') : undefined;
    const page = await console.open('/console/tokens');
    await page.getByText('The database cannot be reached.').waitFor();
    console.state.fault = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Deployments of the shop').first().waitFor();
  });
});

function refusal(code: 'validation_failed' | 'database_unavailable', pointer?: string): Response {
  const { status, body } = problem(code);
  const errors = pointer && { errors: [{ pointer, code: 'invalid', message: 'Not this one.' }] };
  return Response.json(
    { ...body, ...errors },
    { status, headers: { 'content-type': 'application/problem+json', 'retry-after': '0' } },
  );
}
