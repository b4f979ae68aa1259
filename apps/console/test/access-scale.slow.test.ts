import { isBrowserMissing, startTrace } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { browserOf, type Page, useConsole } from './support/console.ts';
import { addLargeGraph, LARGE } from './support/large-graph.ts';

const options = (page: Page) => page.getByRole('option');

describe.skipIf(isBrowserMissing())('the graph of 300 × 200 with 3,000 edges', () => {
  const console = useConsole({ isEmpty: true });

  it('is laid out off the main thread, without a task over 200 ms', async () => {
    await addLargeGraph(console.state.mocks);
    const page = await console.open('/console/nothing');
    const trace = await startTrace(browserOf(page), { frames: true });
    await page.goto('/console/access');
    await expect.poll(() => options(page).count()).toBe(LARGE.applications + LARGE.integrations);
    await page.getByRole('button', { name: 'Allowed 2,551' }).waitFor();
    await options(page).first().click();
    await expect.poll(() => options(page).count()).toBe(11);
    const { longestTask, threads } = await trace.end();
    expect(threads).toContain('DedicatedWorker thread');
    expect(longestTask).toBeLessThanOrEqual(200);
  });

  it('pans at 30 frames a second', async () => {
    await addLargeGraph(console.state.mocks);
    const page = await console.open('/console/access');
    await options(page).first().waitFor();
    await page.mouse.move(700, 500);
    const trace = await startTrace(browserOf(page), { frames: true });
    for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, 60);
    const { frames, cpuOfFrame } = await trace.end();
    expect(frames).toBeGreaterThan(30);
    // By CPU time, since other tests run at the same time.
    expect(cpuOfFrame).toBeLessThanOrEqual(1000 / 30);
  });

  it('has a table that shows a hundred rows at a time', async () => {
    await addLargeGraph(console.state.mocks);
    const page = await console.open('/console/access?view=table');
    await page.getByText('The first 100 of 3,000 are shown.').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(200);
  });

  it('says so where there are more applications than are read', async () => {
    const { fixtures } = console.state.mocks;
    for (let each = 0; each < 1001; each += 1) fixtures.addApplication({ name: `Number ${each}` });
    const page = await console.open('/console/access');
    await page.getByText('There are more applications than are shown').waitFor();
  });
});
