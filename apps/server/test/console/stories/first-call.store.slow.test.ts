import { connectMcpClient, isBrowserMissing } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { copiedFrom, type Locator, signInAsOwner, useConsoleBrowser } from './console-browser.ts';
import { press, type } from './hand.ts';

/** What a person may need after signing in. */
const MOST_CLICKS = 14;
const MOST_SECONDS = 180;
/** How long a person takes to find and press a button, and to type or paste a value. */
const SECONDS_OF_CLICK = 3;
const SECONDS_OF_TYPING = 5;

const server = useServer();
const key = 'key-of-the-owner';
const upstream = use(() => startUpstream({ requireBearer: key }));

describe.skipIf(isBrowserMissing())('from an empty installation', () => {
  const browser = useConsoleBrowser(server);

  it('a person reaches the first call of a client', async () => {
    const page = await browser.open();
    await page.goto('/');
    await signInAsOwner(page, server);
    const began = performance.now();
    let clicks = 0;
    let typed = 0;
    const click = async (control: Locator) => {
      clicks += 1;
      await press(control);
    };
    const fill = async (field: Locator, value: string) => {
      typed += 1;
      await type(field, value);
    };

    await fill(page.getByLabel('URL of the MCP server'), upstream.url);
    await click(page.getByRole('button', { name: 'Look at it' }));
    await click(page.getByRole('radio', { name: 'Own token' }));
    await click(page.getByRole('button', { name: 'Add integration' }));
    await click(page.getByRole('button', { name: 'Cursor' }));
    await click(page.getByRole('button', { name: 'Connect', exact: true }));
    await fill(page.getByLabel('Access token'), key);
    await click(page.getByRole('dialog').getByRole('button', { name: 'Connect' }));
    await page.getByText('Waiting for the first call').waitFor();
    await click(page.getByRole('button', { name: /^Copy/ }).first());
    const snippet = await copiedFrom(page);

    const url = /http[^"\s]+\/mcp\/[^"\s]+/.exec(snippet)?.[0] ?? '';
    const client = await connectMcpClient({ url, era: 'legacy', bearer: server.owner });
    const add = (await client.listTools()).find((name) => name.endsWith('__add')) ?? '';
    expect(await client.callTool(add, { a: 20, b: 22 })).toBe('42');
    await page.getByText('A client has called').waitFor();
    await client.close();
    await click(page.getByRole('button', { name: 'Go to Home' }));
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();

    const seconds = (performance.now() - began) / 1000;
    const paced = seconds + clicks * SECONDS_OF_CLICK + typed * SECONDS_OF_TYPING;
    process.stderr.write(
      `First call: ${clicks} clicks, ${Math.round(seconds)} s, at a person's pace ${Math.round(paced)} s.\n`,
    );
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    expect(paced).toBeLessThanOrEqual(MOST_SECONDS);
  });
});
