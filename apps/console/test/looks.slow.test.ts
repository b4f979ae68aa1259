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
