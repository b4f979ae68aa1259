import { isBrowserMissing, pressByKeyboard, typeByKeyboard } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';

describe.skipIf(isBrowserMissing())('by keyboard alone', () => {
  const console = useConsole();

  it('an integration is added and attached, and the snippet of a client is copied', async () => {
    const page = await console.open('/console/integrations');
    await pressByKeyboard(page.getByRole('link', { name: 'Add integration' }));
    const url = page.getByRole('textbox', { name: 'URL of the MCP server' });
    await typeByKeyboard(url, 'https://mcp.tracker.example/mcp');
    await page.keyboard.press('Enter');
    await typeByKeyboard(page.getByRole('textbox', { name: 'Name' }), 'Tracker');
    await pressByKeyboard(page.getByRole('button', { name: 'Add integration' }));
    await page.getByRole('heading', { name: 'Tracker', level: 1 }).waitFor();

    await page.keyboard.type('ga');
    await pressByKeyboard(page.getByRole('link', { name: 'Not attached yet' }));
    await pressByKeyboard(page.getByRole('link', { name: 'Attach an integration' }));
    const opener = page.getByRole('button', { name: 'Attach integrations' });
    await pressByKeyboard(opener);
    const dialog = page.getByRole('dialog', { name: 'Attach to Not attached yet' });
    await typeByKeyboard(dialog.getByRole('searchbox', { name: 'Search names' }), 'track');
    const attach = dialog.getByRole('button', { name: 'Attach Tracker' });
    await pressByKeyboard(attach);
    await attach.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const hasFocus = () => opener.evaluate((button) => button === document.activeElement);
    await expect.poll(hasFocus).toBe(true);

    await pressByKeyboard(page.getByRole('link', { name: 'Connect a client', exact: true }));
    const clients = page.getByRole('navigation', { name: 'Client' });
    await pressByKeyboard(clients.getByRole('link', { name: 'Codex' }));
    await pressByKeyboard(page.getByRole('button', { name: 'Copy Codex for Tracker' }));
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain(`url = "${console.origin}/mcp/`);
  });
});
