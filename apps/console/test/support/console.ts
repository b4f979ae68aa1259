import { launchBrowser } from '@gatehouse/harness';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { seedDemo } from '../../demo/seed.ts';
import { addressOf, idOf } from './addresses.ts';
import { AXE_PATH } from './axe-script.ts';
import { type Chromium, createPages, type Page, type PageOptions, type Pages } from './pages.ts';
import { type ConsoleSite, type SiteState, startConsoleSite } from './site.ts';

export { browserOf, type Page } from './pages.ts';

interface ConsoleOptions {
  readonly isEmpty?: boolean;
  /** The folder of a console that was built in another way. */
  readonly dist?: string;
}

export interface ConsoleUnderTest {
  readonly state: SiteState;
  readonly origin: string;
  /** Opens a view, with empty storage that no other page has. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** The id of an integration, application or group of the demo. */
  idOf(name: string): Promise<string>;
  /** A path in which `{…}` is the id of what has the name. */
  addressOf(path: string): Promise<string>;
}

/**
 * A console over mocks for the tests of a file, with the data of the demo before each, or with nothing. A page
 * that reports a violation of its policy, throws, or stores more than the theme fails its test.
 */
export function useConsole({ isEmpty = false, dist }: ConsoleOptions = {}): ConsoleUnderTest {
  let site: ConsoleSite;
  let chromium: Chromium;
  let pages: Pages;

  beforeAll(async () => {
    site = await startConsoleSite(dist);
    chromium = (await launchBrowser()) as Chromium;
    pages = createPages(chromium, site.origin);
  });
  afterAll(async () => {
    await chromium.close();
    await site.close();
  });
  beforeEach(async () => {
    const { state } = site;
    state.mocks.reset();
    state.token = state.mocks.tokens.owner;
    state.fault = undefined;
    state.gateway = undefined;
    state.refusedResource = undefined;
    state.requests.length = 0;
    if (!isEmpty) await seedDemo(state.mocks);
  });
  afterEach(async () => {
    const { stored, complaints } = await pages.release();
    expect(stored.filter((key) => key !== 'gatehouse-theme')).toEqual([]);
    expect(complaints).toEqual([]);
  });

  return {
    get state() {
      return site.state;
    },
    get origin() {
      return site.origin;
    },
    async open(path, options) {
      const page = await pages.take(options);
      await page.goto(path);
      return page;
    },
    idOf: (name) => idOf(name, site.state.mocks),
    addressOf: (path) => addressOf(path, site.state.mocks),
  };
}

/** Base UI's ends of an open menu, which axe's `aria-hidden-focus` finds: they give the focus on when they get it. */
const FOCUS_GUARDS = '[data-base-ui-focus-guard]';

/** What axe finds with its default rules. It looks for nothing but violations, which takes a third of the time. */
export async function barriersOf(page: Page): Promise<unknown> {
  // Imported, it needs no exception from the policy.
  await page.evaluate(`import('${AXE_PATH}')`);
  // Axe would load style sheets for an experimental rule, and media, which the console does not have.
  const options = "{ resultTypes: ['violations'], preload: false }";
  const run = `axe.run({ exclude: ['${FOCUS_GUARDS}'] }, ${options})`;
  const { violations } = (await page.evaluate(run)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
