import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { barriersOf, type Page, useConsole } from './support/console.ts';

/** Where the pictures go; three of them are in the documentation (`npm run docs:pictures`). */
const pictures = process.env.GATEHOUSE_TEST_PICTURES;

/** Each view by what it shows when it is there; `{…}` is the id of what has the name. */
const VIEWS: readonly (readonly [path: string, sign: string])[] = [
  ['/console/integrations', 'Linear'],
  ['/console/integrations/new', 'Look at it'],
  ['/console/integrations/{Jira}', 'Can it be used?'],
  ['/console/integrations/{GitHub}?tab=tools', 'create_issue'],
  ['/console/integrations/{GitHub}?tab=prompts', 'triage'],
  ['/console/integrations/{GitHub}?tab=resources', 'repo://docs/README.md'],
  ['/console/integrations/{GitHub}?tab=applications', 'Cursor'],
  ['/console/integrations/{GitHub}?tab=policy', 'No rule binds it'],
  ['/console/integrations/{GitHub}/policy', 'of 5 allowed'],
  ['/console/integrations/{Jira}/edit', 'Save'],
  ['/console', 'Needs attention'],
  ['/console/connections', 'Needs you'],
  ['/console/connections?connect={Jira}', 'API key'],
  ['/console/applications', 'Nightly report'],
  ['/console/applications/new?client=cursor', 'Add application'],
  ['/console/applications/{Cursor}', 'A client has called'],
  ['/console/applications/{Cursor}?tab=integrations', 'Detach'],
  ['/console/applications/{Cursor}?tab=sessions', 'Closed by its client'],
  ['/console/applications/{Nightly report}?tab=settings', 'Replace'],
  ['/console/applications/{Cursor}/integrations/{GitHub}/policy', '3 of 5 allowed'],
  ['/console/applications/{Not attached yet}', 'Attach an integration'],
  ['/console/access', 'Docs search'],
  ['/console/access?focus={Cursor}', 'An application with 4 integrations.'],
  ['/console/access?focus={Cursor}&other={GitHub}&tried=true&only=true', 'would lose it'],
  ['/console/access?view=table', 'Not attached'],
  ['/console/activity', 'Open, in use'],
  ['/console/activity?application={Cursor}&state=closed', 'Closed by its client'],
  ['/console/tokens', 'Deployments of the shop'],
  ['/console/people', 'Li Wei'],
  ['/console/groups', 'Sales'],
  ['/console/groups/{Platform}', 'Li Wei'],
  ['/console/groups/{Sales}', 'cn=sales'],
  ['/console/playground', 'Choose what to call'],
  ['/console/playground?application={Cursor}&integration={GitHub}&tool=echo', 'Call it'],
  ['/console/settings', 'GATEHOUSE_RATE_LIMIT'],
];

/** What keys open above a view, what is typed there, and what it shows then. */
const OVERLAYS: readonly (readonly [name: string, keys: string, typed: string, sign: string])[] = [
  ['the command menu', 'Control+k', '', 'Create token'],
  ['a search in the command menu', 'Control+k', 'cur', 'Cursor'],
  ['the list of shortcuts', '?', '', 'Search within the view'],
];

describe.skipIf(isBrowserMissing())('every view', () => {
  const console = useConsole();

  it.each(VIEWS)('%s has no barriers in light and dark, and fits 360 px', async (path, sign) => {
    await expectNoBarriers(path, async (page) => {
      await page.getByText(sign).first().waitFor();
    });
  });

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
      if (pictures) await page.screenshot({ path: `${pictures}/${nameOf(path)}-${width}.png` });
      expect(await barriersOf(page)).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    }
  }
});

/** Of a file: `/console/access?focus={Cursor}` is `console-access-focus-Cursor`. */
function nameOf(path: string): string {
  return path.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '');
}
