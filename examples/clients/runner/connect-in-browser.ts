import { randomBytes } from 'node:crypto';
import type { launchBrowser } from '@gatehouse/harness';
import type { Person } from './gatehouse.ts';

type Browser = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>;

/**
 * Does what a person does with the link that a client has shown: opens it, signs in, goes on to the
 * provider and allows it there.
 *
 * @throws Error if the last page does not say that the account is connected
 */
export async function connectInBrowser(
  browser: Browser,
  { email, passwordLink }: Person,
  link: string,
): Promise<void> {
  const password = randomBytes(12).toString('base64url');
  await inNewContext(browser, async (page) => {
    await page.goto(passwordLink);
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('The same password again').fill(password);
    await page.getByRole('button').click();
    await page.waitForURL(/\/console/);
  });
  await inNewContext(browser, async (page) => {
    await page.goto(link);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Continue to/ }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('now works for you').waitFor();
  });
}

type Page = Awaited<ReturnType<Browser['newPage']>>;

async function inNewContext(browser: Browser, act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    await act(await context.newPage());
  } finally {
    await context.close();
  }
}
