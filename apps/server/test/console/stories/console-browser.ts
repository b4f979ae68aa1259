import { launchBrowser, noteComplaints, startTrace } from '@gatehouse/harness';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { givePassword, linkFor, PASSWORD } from '../../support/browser.ts';
import { testDatabaseKind } from '../../support/database.ts';
import type { TestServer } from '../../support/server.ts';
import { press, type } from './hand.ts';

type Chromium = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;
export type Page = Awaited<ReturnType<Chromium['newPage']>>;
export type Locator = ReturnType<Page['getByRole']>;

interface OpenOptions {
  readonly width?: number;
}

export interface ConsoleBrowser {
  /** A browser in which nobody is signed in. */
  open(options?: OpenOptions): Promise<Page>;
  /** A browser in which a member is signed in, by a link, at the console. */
  openAs(member: { readonly id: string }, options?: OpenOptions): Promise<Page>;
}

const HEIGHT = 900;

/** Milliseconds of CPU time: longer, and a person notices that a page does not react. */
const LONGEST_TASK = 200;

/** Our tokens, codes and client secrets; a person opens a sign-in link, which is not one of them. */
const SECRET = /gh_(?!link)[a-z]+_[A-Za-z0-9_-]{20,}/;

/**
 * Chromium before the real server. A page of it that reports a violation of its policy, throws, keeps
 * more than the theme, computes too long at a time, or puts a secret into a URL or its history fails its test.
 */
export function useConsoleBrowser(server: TestServer): ConsoleBrowser {
  let chromium: Chromium;
  const opened: Page[] = [];
  const complaints: string[] = [];
  const urls: string[] = [];
  let trace: Awaited<ReturnType<typeof startTrace>> | undefined;

  beforeAll(async () => {
    chromium = (await launchBrowser()) as Chromium;
  });
  afterAll(() => chromium?.close());
  beforeEach(async () => {
    // A trace takes time, and what a page computes does not rest on the store.
    if (testDatabaseKind === 'pglite') trace = await startTrace(chromium);
  });
  afterEach(async () => {
    const { longestTask = 0 } = (await trace?.end()) ?? {};
    expect(longestTask).toBeLessThanOrEqual(LONGEST_TASK);
    for (const page of opened.splice(0)) {
      if (page.url().startsWith(server.origin)) expect(await keptBy(page)).toEqual([]);
      await page.context().close();
    }
    expect(complaints.splice(0)).toEqual([]);
    expect(urls.splice(0).filter((url) => SECRET.test(url))).toEqual([]);
  });

  async function open({ width = 1440 }: OpenOptions = {}): Promise<Page> {
    const context = await chromium.newContext({
      baseURL: server.origin,
      viewport: { width, height: HEIGHT },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    noteComplaints(page, complaints);
    page.on('framenavigated', (frame) => urls.push(frame.url()));
    page.on('request', (request) => urls.push(request.url()));
    opened.push(page);
    return page;
  }

  return {
    open,
    async openAs({ id }, options) {
      const page = await open(options);
      const { organizationId } = await server.store.db.user.findUniqueOrThrow({ where: { id } });
      await page.goto(await linkFor(server.store, { id, organizationId }, 'sign_in'));
      await press(page.getByRole('button', { name: /^Sign in as/ }));
      await page.waitForURL(/\/console/);
      return page;
    },
  };
}

/** Signs the owner in with a password, where the sign-in page is open. */
export async function signInAsOwner(page: Page, server: TestServer): Promise<void> {
  const { email } = await givePassword(server.store);
  await type(page.getByLabel('Email'), email);
  await type(page.getByLabel('Password'), PASSWORD);
  await press(page.getByRole('button', { name: 'Sign in' }));
}

/** The id of the owner of the first start. */
export async function ownerOf({ store }: TestServer): Promise<{ readonly id: string }> {
  return store.db.user.findFirstOrThrow({ where: { role: 'owner' }, select: { id: true } });
}

async function keptBy(page: Page): Promise<string[]> {
  const kept = await page.evaluate<string[]>(
    '[...Object.keys(localStorage), ...Object.keys(sessionStorage)]',
  );
  return kept.filter((key) => key !== 'gatehouse-theme');
}

/** What the page has copied. */
export function copiedFrom(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}
