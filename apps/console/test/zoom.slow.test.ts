import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it, vi } from 'vitest';
import { barriersOf, type Page, useConsole } from './support/console.ts';

/** The main views by what they show when they are there; `{…}` is the id of what has the name. */
const VIEWS: readonly (readonly [path: string, sign: string])[] = [
  ['/console', 'Needs attention'],
  ['/console/integrations', 'Linear'],
  ['/console/integrations/new', 'Look at it'],
  ['/console/integrations/{Jira}', 'Can it be used?'],
  ['/console/connections', 'Needs you'],
  ['/console/applications', 'Nightly report'],
  ['/console/applications/{Cursor}', 'A client has called'],
  ['/console/access', 'Docs search'],
  ['/console/tokens', 'Deployments of the shop'],
  ['/console/people', 'Li Wei'],
  ['/console/groups/{Platform}', 'Li Wei'],
  ['/console/settings', 'GATEHOUSE_RATE_LIMIT'],
];

/** Milliseconds, on a busy machine. */
const ENOUGH = 30_000;

/** A window of 1280 px, and what is left of it at 200 %. */
const WIDTH = 1280;
const ZOOMED = { width: WIDTH / 2, deviceScaleFactor: 2 } as const;

/** Headings and controls of the view that can be seen, by their words. The heads of columns that a row's own view has are left out. */
const wordsOf = (page: Page) =>
  page.locator('#view').evaluate((view) => {
    const found = view.querySelectorAll('h1, h2, h3, a, button, input, select, textarea');
    return [...found]
      .filter((each) => each.closest('th') === null && each.checkVisibility())
      .map((each) => `${each.localName} ${each.getAttribute('aria-label') ?? each.textContent}`);
  });

describe.skipIf(isBrowserMissing())('at 200 % zoom', () => {
  const console = useConsole();

  it.each(VIEWS)('%s has no barriers and loses nothing', async (path, sign) => {
    const name = /\{(.*?)\}/.exec(path)?.[1];
    const address = name === undefined ? path : path.replace(/\{.*?\}/, await console.idOf(name));
    const open = async (options: { width: number; deviceScaleFactor?: number }) => {
      const page = await console.open(address, { ...options, isChecked: true });
      await page.getByText(sign).first().waitFor();
      return page;
    };
    const wide = await open({ width: WIDTH });
    const page = await open(ZOOMED);
    // Lists may still arrive in either.
    await vi.waitFor(async () => {
      const whole = await wordsOf(wide);
      expect(whole.length).toBeGreaterThan(1);
      expect(await wordsOf(page)).toEqual(whole);
    }, ENOUGH);
    expect(await barriersOf(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  });
});
