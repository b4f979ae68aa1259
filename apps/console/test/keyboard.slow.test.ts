import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';

type Target = ReturnType<Page['getByRole']>;

const MOST_STEPS = 100;

/** Presses Tab until a control has the focus, which can be seen at each step. */
async function tabTo(page: Page, target: Target): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    const isSeen = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === null || activeElement === document.body) return true;
      return getComputedStyle(activeElement).outlineStyle !== 'none';
    });
    expect(isSeen).toBe(true);
    if (await target.evaluate((control) => control === document.activeElement)) return;
  }
  throw new Error(`${MOST_STEPS} steps do not lead to ${target}.`);
}

async function press(page: Page, target: Target): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

describe.skipIf(isBrowserMissing())('by keyboard alone', () => {
  const console = useConsole();

  it('an integration is added and attached, and the snippet of a client is copied', async () => {
    const page = await console.open('/console/integrations');
    await press(page, page.getByRole('link', { name: 'Add integration' }));
    await tabTo(page, page.getByRole('textbox', { name: 'URL of the MCP server' }));
    await page.keyboard.type('https://mcp.tracker.example/mcp');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Tracker');
    await press(page, page.getByRole('button', { name: 'Add integration' }));
    await page.getByRole('heading', { name: 'Tracker', level: 1 }).waitFor();

    await page.keyboard.type('ga');
    await press(page, page.getByRole('link', { name: 'Not attached yet' }));
    await press(page, page.getByRole('link', { name: 'Attach an integration' }));
    await press(page, page.getByRole('button', { name: 'Attach integrations' }));
    const dialog = page.getByRole('dialog', { name: 'Attach to Not attached yet' });
    await tabTo(page, dialog.getByRole('searchbox', { name: 'Search names' }));
    await page.keyboard.type('track');
    const attach = dialog.getByRole('button', { name: 'Attach Tracker' });
    await press(page, attach);
    await attach.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await press(page, page.getByRole('link', { name: 'Connect a client', exact: true }));
    const clients = page.getByRole('navigation', { name: 'Client' });
    await press(page, clients.getByRole('link', { name: 'Codex' }));
    await press(page, page.getByRole('button', { name: 'Copy Codex for Tracker' }));
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain(`url = "${console.origin}/mcp/`);
  });
});
