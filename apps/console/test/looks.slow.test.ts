import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { barriersOf, type Page, useConsole } from './support/console.ts';
import { VIEWS } from './support/views.ts';

/** What keys open above a view, what is typed there, and what it shows then. */
const OVERLAYS: readonly (readonly [name: string, keys: string, typed: string, sign: string])[] = [
  ['the command menu', 'Control+k', '', 'Create token'],
  ['a search in the command menu', 'Control+k', 'cur', 'Cursor'],
  ['the list of shortcuts', '?', '', 'Search within the view'],
];

/** What a button opens above a view, and what it shows then. */
const OPENED: readonly (readonly [name: string, path: string, button: string, sign: string])[] = [
  ['the actions of a row', '/console/people', 'Actions for Li Wei', 'Revoke access'],
  ['the values of a filter', '/console/integrations', 'Status', 'Invalid'],
  ['the ways to export', '/console/access', 'Export', 'Picture as SVG'],
  ['what was done', '/console/connections', 'Test GitHub', 'GitHub:'],
  ['what was not done', '/console/connections', 'Test Notion', 'Notion could not be tested.'],
];

describe.skipIf(isBrowserMissing())('every view', () => {
  const console = useConsole();

  it.each(VIEWS)(
    '$path has no barriers in light and dark, and fits 360 px',
    async ({ path, sign }) => {
      await expectNoBarriers(path, async (page) => {
        await page.getByText(sign).first().waitFor();
      });
    },
  );

  it.each(OVERLAYS)(
    '%s opens above any of them without barriers',
    async (_name, keys, typed, sign) => {
      await expectNoBarriers('/console/tokens', async (page) => {
        await page.getByText('Deployments of the shop').first().waitFor();
        await page.keyboard.press(keys);
        await page.getByRole('dialog').waitFor();
        await page.keyboard.type(typed);
        await page.getByRole('dialog').getByText(sign).first().waitFor();
      });
    },
  );

  it.each(OPENED)('no barriers in %s above a view', async (_name, path, button, sign) => {
    const notion = await console.idOf('Notion');
    console.state.fault = ({ method, url }) =>
      method === 'POST' && url.includes(notion) ? new Response(null, { status: 503 }) : undefined;
    await expectNoBarriers(path, async (page) => {
      // The head of a column may have the name of its filter, after it.
      await page.getByRole('button', { name: button, exact: true }).first().click();
      await page.getByText(sign).last().waitFor();
    });
  });

  /** In light at 1440 px and in dark at 360 px, after `show` has brought the page where it should be looked at. */
  async function expectNoBarriers(path: string, show: (page: Page) => Promise<void>) {
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 360],
    ] as const) {
      const page = await console.open(await console.addressOf(path), {
        colorScheme,
        width,
        isChecked: true,
      });
      await show(page);
      expect(await barriersOf(page)).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    }
  }
});
