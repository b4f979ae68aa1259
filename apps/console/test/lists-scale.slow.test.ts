import { isBrowserMissing, startTrace } from '@gatehouse/harness';
import { problem } from '@gatehouse/mocks';
import { describe, expect, it } from 'vitest';
import { browserOf, type Page, useConsole } from './support/console.ts';

const rows = (page: Page) => page.locator('tbody tr:not([aria-hidden])');
const toEnd = (page: Page) =>
  page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

describe.skipIf(isBrowserMissing())('a list of 10,000 people', () => {
  const console = useConsole({ isEmpty: true });
  const addPeople = (count: number) => {
    for (let each = 0; each < count; each += 1) console.state.mocks.fixtures.addMember('member');
  };
  const pagesRead = () =>
    console.state.requests.filter((line) => line === 'GET /api/v1/members').length;

  async function loadTo(page: Page, count: number): Promise<void> {
    const table = page.getByRole('table');
    await table.waitFor();
    for (let loaded = 0; loaded < count; ) {
      await toEnd(page);
      const now = Number((await table.getAttribute('aria-rowcount')) ?? 0);
      if (now === loaded) await page.waitForTimeout(20);
      loaded = now;
    }
  }

  it('is loaded by scrolling, and scrolls at 30 frames a second with few rows in the document', async () => {
    addPeople(9_997);
    const page = await console.open('/console/people');
    await loadTo(page, 10_001);
    expect(pagesRead()).toBeGreaterThanOrEqual(100);
    expect(await rows(page).count()).toBeLessThan(120);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(() => rows(page).first().getAttribute('aria-rowindex')).toBe('2');
    await page.mouse.move(700, 500);
    const trace = await startTrace(browserOf(page), { frames: true });
    for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, 900);
    const { frames, cpuOfFrame, longestTask } = await trace.end();
    expect(frames).toBeGreaterThan(30);
    // By CPU time, since other tests run at the same time.
    expect(cpuOfFrame).toBeLessThanOrEqual(1000 / 30);
    expect(longestTask).toBeLessThanOrEqual(200);
    await toEnd(page);
    const last = rows(page).last();
    await expect.poll(() => last.getAttribute('aria-rowindex')).toBe('10001');
  });

  it('keeps its columns where they are, and names the place of each row', async () => {
    addPeople(400);
    const page = await console.open('/console/people');
    await loadTo(page, 402);
    const heads = () =>
      page
        .locator('th')
        .evaluateAll((all) => all.map((head) => Math.round(head.getBoundingClientRect().left)));
    const before = await heads();
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(() => rows(page).first().getAttribute('aria-rowindex')).toBe('2');
    expect(await heads()).toEqual(before);
  });

  it('asks once for a page that is refused, and again by the button', async () => {
    addPeople(250);
    const page = await console.open('/console/people');
    await rows(page).first().waitFor();
    console.state.fault = ({ url }) => (url.includes('cursor=') ? refusal() : undefined);
    const before = pagesRead();
    await toEnd(page);
    await page.getByText('The caller may not do this.').waitFor();
    await page.waitForTimeout(500);
    expect(pagesRead()).toBe(before + 1);
    console.state.fault = undefined;
    await page.getByRole('button', { name: 'Load more' }).click();
    await loadTo(page, 252);
  });
});

function refusal(): Response {
  const { status, body } = problem('forbidden');
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json' } });
}
