import type { Page } from 'playwright-core';
import type { Hand } from './hand.ts';

// What people do in the console where no gateway is needed: the same before a server and before the mocks.
// Each begins at its view.

/** At an attachment of the access graph: asks who would lose what without it. */
export async function tryWithout(page: Page, { press }: Hand): Promise<void> {
  const chosen = page.getByRole('complementary', { name: 'What is chosen' });
  await press(chosen.getByRole('button', { name: 'Try without it' }));
  const answer = chosen.getByRole('region', { name: 'What if' });
  await answer.getByText(/would lose it/).waitFor();
}

interface Repair {
  /** Of the field that is changed. */
  readonly label: string | RegExp;
  readonly value: string;
  /** What is then said of it. */
  readonly status: string;
}

/** At home: repairs an integration by a change of one of its fields, until it needs attention no longer. */
export async function repairIntegration(
  page: Page,
  { press, type }: Hand,
  name: string,
  { label, value, status }: Repair,
): Promise<void> {
  const need = page.getByRole('listitem').filter({ hasText: `${name} cannot be used` });
  await press(need.getByRole('link', { name: 'Look at it' }));
  await press(page.getByRole('link', { name: 'Edit' }));
  await type(page.getByLabel(label), value);
  await press(page.getByRole('button', { name: 'Save' }));
  await press(page.getByRole('button', { name: /^Validate/ }));
  await page.getByText(status, { exact: true }).first().waitFor();
  await press(page.getByRole('link', { name: 'Home' }));
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await need.waitFor({ state: 'detached' });
}

/**
 * At an application: revokes all access of it.
 *
 * @returns how many open sessions have ended, as its receipt says
 */
export async function revokeAccess(
  page: Page,
  { press }: Hand,
  name: string,
): Promise<string | null> {
  await press(page.getByRole('button', { name: 'More actions' }));
  await press(page.getByRole('menuitem', { name: 'Revoke access' }));
  const dialog = page.getByRole('dialog', { name: `Revoke all access of ${name}?` });
  await dialog.getByRole('region', { name: 'What ends' }).getByText('Open sessions').waitFor();
  await press(dialog.getByRole('button', { name: 'Revoke access' }));
  const receipt = page.getByRole('dialog', { name: `Access of ${name} is revoked` });
  const sessions = receipt.locator('dl > div').filter({ hasText: 'Open sessions' });
  return sessions.locator('dd').textContent();
}

/** At the settings of an application: replaces its client secret. @returns the new one, which is shown no longer */
export async function replaceSecret(page: Page, { press }: Hand): Promise<string> {
  await press(page.getByRole('button', { name: 'Replace' }));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Replace' }));
  const secret = page.getByText(/^gh_cs_/);
  const replaced = (await secret.textContent()) ?? '';
  await press(page.getByRole('button', { name: 'I have stored it' }));
  await secret.waitFor({ state: 'detached' });
  return replaced;
}

/** At the people: removes one of them, and reads what has ended. */
export async function removePerson(page: Page, { press, type }: Hand, name: string): Promise<void> {
  await press(page.getByRole('button', { name: `Actions for ${name}`, exact: true }));
  await press(page.getByRole('menuitem', { name: 'Remove' }));
  const dialog = page.getByRole('dialog', { name: `Remove ${name}?` });
  await dialog.getByRole('region', { name: 'What ends' }).getByText('Open sessions').waitFor();
  await type(dialog.getByLabel(`Type ${name} to remove them`), name);
  await press(dialog.getByRole('button', { name: 'Remove' }));
  await page.getByRole('dialog', { name: `${name} is removed` }).waitFor();
}

/** At my connections: connects an account with its values, and tests it. */
export async function connectAccount(
  page: Page,
  { press, type }: Hand,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await press(page.getByRole('button', { name: `Connect ${name}` }));
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(values)) await type(dialog.getByLabel(label), value);
  await press(dialog.getByRole('button', { name: 'Connect' }));
  await page.getByText(`${name} is connected.`).waitFor();
  await press(page.getByRole('button', { name: `Test ${name}` }));
  await page.getByText(new RegExp(`^${name}: `)).waitFor();
}
