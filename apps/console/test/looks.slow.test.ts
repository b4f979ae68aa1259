import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it, vi } from 'vitest';
import { barriersOf, type Page, useConsole } from './support/console.ts';
import { VIEWS } from './support/views.ts';

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** What is left of 1440 px at 200 %, where a page is loaded. */
const ZOOMED: Look = { colorScheme: 'light', width: 720 };

/** As a screen and as a telephone has it. */
const OTHERS: readonly Look[] = [
  { colorScheme: 'dark', width: 360 },
  { colorScheme: 'light', width: 1440 },
];

const HEIGHT = 900;

/** Milliseconds, on a busy machine. */
const ENOUGH = 30_000;

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
    '$path has no barriers in light, in dark and at 200 % zoom, and loses nothing there',
    async ({ path, sign, isFirst }) => {
      if (isFirst) console.state.mocks.reset();
      const page = await expectNoBarriers(path, async (opened) => {
        await opened.getByText(sign).first().waitFor();
      });
      const wordsAt = async (width: number) => {
        await page.setViewportSize({ width, height: HEIGHT });
        return wordsOf(page);
      };
      // Lists may still arrive between the two.
      await vi.waitFor(async () => {
        const whole = await wordsAt(1440);
        expect(whole.length).toBeGreaterThan(1);
        expect(await wordsAt(ZOOMED.width)).toEqual(whole);
      }, ENOUGH);
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

  /** In each look, after `show` has brought the page where it should be looked at. */
  async function expectNoBarriers(path: string, show: (page: Page) => Promise<void>) {
    const address = await console.addressOf(path);
    const page = await console.open(address, ZOOMED);
    await show(page);
    for (const look of [ZOOMED, ...OTHERS]) await expectFit(page, look);
    return page;
  }
});

/** Without barriers, and not wider than its window. */
async function expectFit(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: HEIGHT });
  expect([colorScheme, width, await barriersOf(page)]).toEqual([colorScheme, width, []]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([colorScheme, width, overflow]).toEqual([colorScheme, width, 0]);
}

/** Headings and controls of the view that can be seen, by their words. The heads of columns that a row's own view has are left out. */
function wordsOf(page: Page): Promise<string[]> {
  return page.locator('#view').evaluate((view) => {
    const found = view.querySelectorAll('h1, h2, h3, a, button, input, select, textarea');
    return [...found]
      .filter((each) => each.closest('th') === null && each.checkVisibility())
      .map((each) => `${each.localName} ${each.getAttribute('aria-label') ?? each.textContent}`);
  });
}
