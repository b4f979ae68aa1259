import { type launchBrowser, noteComplaints } from '@gatehouse/harness';

export type Chromium = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;
export type Page = Awaited<ReturnType<Chromium['newPage']>>;

export interface PageOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** Whether it tries a failed request again at once: the client of the API waits a random time otherwise. */
  readonly isHasty?: boolean;
}

/** What pages did until they were released. */
interface Released {
  /** The keys of their storage. */
  readonly stored: readonly string[];
  /** What they threw or reported. */
  readonly complaints: readonly string[];
}

/**
 * The pages of a browser, each with storage that no other has. A page of an earlier test is used again: it has the
 * program compiled, which takes two thirds of the time of a first load.
 */
export interface Pages {
  take(options?: PageOptions): Promise<Page>;
  /** Leaves the console, and empties the storage of the pages that were taken. One that was closed is not used again. */
  release(): Promise<Released>;
}

const HEIGHT = 900;

/** A page of the server that has no script. */
const QUIET = '/account';

/** Pages that a test may have left one after another. */
const MAX_DETOURS = 3;

export function createPages(chromium: Chromium, origin: string): Pages {
  const idle = { hasty: [] as Page[], usual: [] as Page[] };
  const taken: (readonly [idle: Page[], page: Page])[] = [];
  const complaints: string[] = [];

  async function openPage(isHasty: boolean) {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await chromium.newContext({ baseURL: origin, permissions });
    const page = await context.newPage();
    noteComplaints(page, complaints);
    if (isHasty) await page.addInitScript(waitNoRandomTime);
    return page;
  }

  return {
    async take(options = {}) {
      const { width = 1440, colorScheme = 'light', isHasty = false } = options;
      const others = isHasty ? idle.hasty : idle.usual;
      const page = others.pop() ?? (await openPage(isHasty));
      taken.push([others, page]);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      return page;
    },

    async release() {
      const stored: string[] = [];
      for (const [others, page] of taken.splice(0)) {
        if (page.isClosed()) continue;
        for (const other of page.context().pages()) if (other !== page) await other.close();
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        page.removeAllListeners('dialog');
        await goQuiet(page);
        stored.push(...(await page.evaluate(emptyStorage)));
        others.push(page);
      }
      return { stored, complaints: complaints.splice(0) };
    },
  };
}

/**
 * A page may be on its way elsewhere, as after a click that its test did not follow. The way that it began first ends the
 * next one, so it is sent there until it arrives.
 */
async function goQuiet(page: Page): Promise<void> {
  for (let more = MAX_DETOURS; ; more -= 1) {
    try {
      await page.goto(QUIET);
      return;
    } catch (error) {
      if (more === 0) throw error;
    }
  }
}

/** In the page. */
function waitNoRandomTime(): void {
  Math.random = () => 0;
}

/** In the page. */
function emptyStorage(): string[] {
  const keys = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
  localStorage.clear();
  sessionStorage.clear();
  return keys;
}

export function browserOf(page: Page): Chromium {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  return browser;
}
