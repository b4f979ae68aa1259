import { launchBrowser } from '@gatehouse/harness';
import axe from 'axe-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { seedDemo } from '../../demo/seed.ts';
import { type ConsoleSite, type SiteState, startConsoleSite } from './site.ts';

type Chromium = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;
export type Page = Awaited<ReturnType<Chromium['newPage']>>;

interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** axe is a script, which the policy forbids. */
  readonly isChecked?: boolean;
  /** How many pixels of the screen are a CSS pixel. */
  readonly deviceScaleFactor?: number;
}

interface ConsoleOptions {
  readonly isEmpty?: boolean;
  /** The folder of a console that was built in another way. */
  readonly dist?: string;
}

export interface ConsoleUnderTest {
  readonly state: SiteState;
  readonly origin: string;
  /** Opens a view, with storage that no other page has. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** The id of an integration, application or group of the demo. */
  idOf(name: string): Promise<string>;
  /** A path in which `{…}` is the id of what has the name. */
  addressOf(path: string): Promise<string>;
}

const HEIGHT = 900;

/**
 * A console over mocks for the tests of a file, with the data of the demo before each, or with nothing. A page
 * that reports a violation of its policy, throws, or stores more than the theme fails its test.
 */
export function useConsole({ isEmpty = false, dist }: ConsoleOptions = {}): ConsoleUnderTest {
  let site: ConsoleSite;
  let chromium: Chromium;
  const opened: Page[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    site = await startConsoleSite(dist);
    chromium = (await launchBrowser()) as Chromium;
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
    for (const page of opened.splice(0)) {
      const stored = await page.evaluate(() => [
        ...Object.keys(localStorage),
        ...Object.keys(sessionStorage),
      ]);
      expect(stored.filter((key) => key !== 'gatehouse-theme')).toEqual([]);
      await page.context().close();
    }
    expect(complaints.splice(0)).toEqual([]);
  });

  async function idOf(name: string): Promise<string> {
    const { baseUrl, tokens } = site.state.mocks;
    const headers = { authorization: `Bearer ${tokens.owner}` };
    for (const resource of ['integrations', 'applications', 'groups']) {
      const response = await fetch(`${baseUrl}/${resource}?limit=100`, { headers });
      const { items } = (await response.json()) as { items: { id: string; name: string }[] };
      const found = items.find((item) => item.name === name);
      if (found !== undefined) return found.id;
    }
    throw new Error(`There is no ${name}.`);
  }

  return {
    get state() {
      return site.state;
    },
    get origin() {
      return site.origin;
    },
    async open(path, options = {}) {
      const {
        width = 1440,
        colorScheme = 'light',
        isChecked = false,
        deviceScaleFactor = 1,
      } = options;
      const context = await chromium.newContext({
        baseURL: site.origin,
        viewport: { width, height: HEIGHT },
        colorScheme,
        deviceScaleFactor,
        bypassCSP: isChecked,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        // A refused request is what some tests are about.
        const isRefusal = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
      });
      opened.push(page);
      await page.goto(path);
      return page;
    },
    idOf,
    async addressOf(path) {
      let address = path;
      for (const [place, name = ''] of path.matchAll(/\{(.*?)\}/g)) {
        address = address.replace(place, await idOf(name));
      }
      return address;
    },
  };
}

/** What axe finds with its default rules. */
export async function barriersOf(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
