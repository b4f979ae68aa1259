import { isBrowserMissing } from '@gatehouse/harness';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyText, names, seedAnyText } from './support/any-text.ts';
import { type Page, useConsole } from './support/console.ts';

/** A failure prints the seed; with it here, the same texts are tried again. */
const SEED = Number(process.env.GATEHOUSE_TEXT_SEED ?? Date.now() % 2 ** 31);
const RUNS = 2;

/** Each view that shows what people or servers have written, and what of that. */
const VIEWS: readonly (readonly [path: string, textsOf: (model: AnyText) => readonly string[]])[] =
  [
    ['/console', ({ integrations }) => [integrations[0] ?? '']],
    ['/console/integrations', ({ integrations }) => integrations],
    ['/console/integrations/{i}', ({ integrations }) => [integrations[0] ?? '']],
    ['/console/integrations/{i}?tab=tools', ({ tools, toolTexts }) => [...tools, ...toolTexts]],
    ['/console/integrations/{i}?tab=prompts', ({ prompts }) => prompts],
    ['/console/integrations/{i}?tab=resources', ({ resources }) => resources],
    ['/console/integrations/{i}?tab=applications', ({ application }) => [application]],
    ['/console/integrations/{i}?tab=connections', ({ people }) => people],
    ['/console/integrations/{r}?tab=policy', ({ group }) => [group]],
    ['/console/integrations/{i}/policy', ({ tools }) => tools],
    ['/console/integrations/{i}/edit', ({ integrations }) => [integrations[0] ?? '']],
    ['/console/connections', ({ integrations, account }) => [...integrations, account]],
    ['/console/applications', ({ application }) => [application]],
    [
      '/console/applications/{a}',
      ({ application, integrations }) => [application, ...integrations],
    ],
    ['/console/applications/{a}?tab=integrations', ({ integrations }) => integrations],
    ['/console/applications/{a}?tab=sessions', ({ integrations }) => [integrations[0] ?? '']],
    ['/console/applications/{a}?tab=settings', ({ application }) => [application]],
    ['/console/applications/{a}/integrations/{i}/policy', ({ tools }) => tools],
    ['/console/access', ({ application, integrations }) => [application, ...integrations]],
    [
      '/console/access?view=table',
      ({ application, integrations }) => [application, ...integrations],
    ],
    ['/console/access?focus={a}&other={i}&tried=true', ({ people }) => people],
    ['/console/activity', ({ application, integrations }) => [application, integrations[0] ?? '']],
    ['/console/activity/log', ({ group, people }) => [group, ...people]],
    ['/console/activity/usage', ({ integrations }) => [integrations[0] ?? '']],
    ['/console/activity/usage?rows=tool', ({ tools }) => tools],
    ['/console/playground', ({ application }) => [application]],
    [
      '/console/playground?application={a}&integration={i}&tool={t}',
      ({ tools, toolTexts }) => [...tools, ...toolTexts.slice(0, 2)],
    ],
    ['/console/tokens', ({ token }) => [token]],
    ['/console/people', ({ people }) => people],
    ['/console/groups', ({ group }) => [group]],
    ['/console/groups/{g}', ({ group, people }) => [group, ...people]],
    ['/console/settings', ({ node }) => [node]],
  ];

describe.skipIf(isBrowserMissing())('text of every alphabet, direction and length', () => {
  const console = useConsole({ isEmpty: true });

  it.each(VIEWS)('is shown as it is, and within the window: %s', async (path, textsOf) => {
    const page = await console.open('about:blank');
    await fc.assert(
      fc.asyncProperty(names, async (texts) => {
        console.state.mocks.reset();
        const model = await seedAnyText(console.state.mocks, texts);
        await page.goto(addressIn(path, model));
        await expectTexts(page, textsOf(model));
      }),
      // A smaller example would take a page for each attempt.
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });
});

function addressIn(path: string, model: AnyText): string {
  const { integrationId, restrictedId, applicationId, groupId, tools } = model;
  return path
    .replace('{i}', integrationId)
    .replace('{r}', restrictedId)
    .replace('{a}', applicationId)
    .replace('{g}', groupId)
    .replace('{t}', () => encodeURIComponent(tools[0] ?? ''));
}

async function expectTexts(page: Page, texts: readonly string[]): Promise<void> {
  const missing = async () => {
    const shown = await shownIn(page);
    return texts.filter((each) => !shown.includes(each));
  };
  await expect.poll(missing).toEqual([]);
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBe(0);
  }
}

/** All text of the view, that of its fields included. */
function shownIn(page: Page): Promise<string> {
  return page.locator('#view').evaluate((view) => {
    const fields = view.querySelectorAll<HTMLInputElement>('input, textarea');
    return [view.textContent, ...[...fields].map(({ value }) => value)].join('\n');
  });
}

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
