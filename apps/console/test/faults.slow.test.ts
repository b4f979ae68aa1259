import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';
import { FAULTS, type Fault, problemOf } from './support/faults.ts';
import { VIEWS } from './support/views.ts';

const READING = VIEWS.filter(({ isStill }) => isStill !== true);
const [FIRST, ...OTHERS] = FAULTS;
const UNREACHABLE = 'Gatehouse cannot be reached.';

describe.skipIf(isBrowserMissing())('every view', () => {
  const console = useConsole();

  const isData = ({ url }: Request) => !url.endsWith('/api/v1/me');

  it.each(READING)(
    '$path says what it waits for and what went wrong, and recovers',
    async ({ path, sign, isFirst }) => {
      if (isFirst) console.state.mocks.reset();
      const page = await console.open('about:blank', { isHasty: true });
      const address = await console.addressOf(path);
      await expectSkeleton(page, address, FIRST);
      await expectSentences(page, address, OTHERS);
      console.state.fault = undefined;
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText(sign).first().waitFor();
      await expectToOutlive(page, sign);
      await expectSignIn(page);
    },
  );

  it('is there whatever is wrong where it reads nothing', async () => {
    console.state.fault = (request) => (isData(request) ? problemOf('internal_error') : undefined);
    const page = await console.open('about:blank');
    for (const { path, sign } of VIEWS) {
      if (READING.some((view) => view.path === path)) continue;
      await page.goto(path);
      await page.getByText(sign).first().waitFor();
    }
  });

  /** Nothing answers until the skeleton has been seen. Then the fault does. */
  async function expectSkeleton(page: Page, address: string, fault: Fault) {
    let answer = () => {};
    const seen = new Promise<void>((resolve) => {
      answer = resolve;
    });
    console.state.fault = async (request) => {
      if (!isData(request)) return undefined;
      await seen;
      return fault.respond();
    };
    await page.goto(address);
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    answer();
    await expectSentence(page, fault);
  }

  async function expectSentences(page: Page, address: string, faults: readonly Fault[]) {
    for (const [index, fault] of faults.entries()) {
      console.state.fault = (request) => (isData(request) ? fault.respond() : undefined);
      // The fault before the first one is final.
      if (index === 0) await page.goto(address);
      else await page.getByRole('button', { name: 'Try again' }).first().click();
      await expectSentence(page, fault);
    }
  }

  async function expectSentence(page: Page, { name, sentence }: Fault) {
    const said = page.getByText(sentence).first().waitFor();
    await expect.soft(said.then(() => name)).resolves.toBe(name);
  }

  async function expectToOutlive(page: Page, sign: string) {
    const notice = page.getByText(UNREACHABLE).first();
    await page.context().setOffline(true);
    await expect.poll(() => lookAgain(page).then(() => notice.isVisible())).toBe(true);
    expect(await page.getByText(sign).count()).toBeGreaterThan(0);
    await page.context().setOffline(false);
    await expect.poll(() => lookAgain(page).then(() => notice.isVisible())).toBe(false);
  }

  async function expectSignIn(page: Page) {
    const view = page.url();
    console.state.token = undefined;
    console.state.fault = () => problemOf('unauthenticated');
    const isAway = () => page.url().includes('/sign-in');
    await expect.poll(() => lookAgain(page).then(isAway)).toBe(true);
    const { searchParams } = new URL(page.url());
    expect([...searchParams.values()].map((back) => new URL(back, view).href)).toEqual([view]);
  }
});

/** As if the person had come back to the tab: what is older than a second is read again. */
async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.dispatchEvent(new Event('visibilitychange'));
  });
  await page.waitForTimeout(100);
}
