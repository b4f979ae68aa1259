import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isBrowserMissing, pressByKeyboard } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { barriersOf, useConsole } from './support/console.ts';
import { type Fault, problemOf, WRITE_FAULTS } from './support/faults.ts';
import { FORMS, type Form } from './support/forms.ts';

const SOURCES = fileURLToPath(new URL('../src/views/', import.meta.url));

/** What a form says that has no other sentence for what someone else has changed. */
const CHANGED: Fault = {
  name: 'precondition_failed',
  respond: () => problemOf('precondition_failed'),
  sentence: 'The resource was changed in the meantime.',
};

/** What keeps what can be lost too, and is tried by other tests. */
const ELSEWHERE: readonly string[] = [
  // It calls through the gateway, where other things go wrong: the tests of the playground.
  'playground/form/call-form.tsx',
  // Only development has it.
  'design/forms.tsx',
  // It sends nothing: below.
  'shown-once.tsx',
];

it('every form is tried with what can go wrong', () => {
  const keepTyped = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.tsx') &&
      /useBegunForm\(|<DialogForm\b/.test(readFileSync(`${SOURCES}${file}`, 'utf8')),
  );
  const tried = new Set([...ELSEWHERE, ...FORMS.map(({ source }) => source)]);
  expect([...tried].toSorted()).toEqual(keepTyped.toSorted());
});

describe.skipIf(isBrowserMissing())('a form', () => {
  const console = useConsole();

  it.each(FORMS)('$name says why it was not sent, and keeps what was typed', async (form) => {
    const { page, send, field } = await fillIn(form);
    const faults = form.isShared ? WRITE_FAULTS : [...WRITE_FAULTS, CHANGED];
    for (const { name, respond, sentence } of faults) {
      console.state.fault = (request) => (isWrite(request) ? respond() : undefined);
      await send();
      const said = page.getByText(sentence).first().waitFor();
      await expect.soft(said.then(() => name)).resolves.toBe(name);
      expect([name, await field.inputValue()]).toEqual([name, form.typed]);
    }
    console.state.token = undefined;
    console.state.fault = () => problemOf('unauthenticated');
    await send();
    const resume = page.getByRole('button', { name: 'I have signed in' });
    await resume.waitFor();
    expect(await field.inputValue()).toBe(form.typed);
    console.state.token = console.state.mocks.tokens.owner;
    console.state.fault = undefined;
    await resume.click();
    await resume.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe(form.typed);
  });

  it('in a dialog goes on by keyboard after signing in again, at 360 px', async () => {
    const page = await console.open('/console/groups', { width: 360 });
    await page.getByRole('button', { name: 'Create group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Night shift');
    console.state.token = undefined;
    console.state.fault = () => problemOf('unauthenticated');
    const send = dialog.getByRole('button', { name: 'Create group' });
    await pressByKeyboard(send);
    await dialog.getByText('You are signed out. What you have typed is still here.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    console.state.token = console.state.mocks.tokens.owner;
    console.state.fault = undefined;
    await pressByKeyboard(page.getByRole('button', { name: 'I have signed in' }));
    await pressByKeyboard(send);
    await page.getByRole('heading', { name: 'Night shift', level: 1 }).waitFor();
  });

  it('that has been sent keeps the secret of its answer when the browser is signed out', async () => {
    const page = await console.open('/console/applications/new');
    await page.getByLabel('Name', { exact: true }).fill('Report of the night');
    await page.getByRole('button', { name: 'Add application' }).click();
    const dialog = page.getByRole('dialog', { name: 'The client secret' });
    const secret = await dialog.getByText(/^gh_cs_/).textContent();
    console.state.token = undefined;
    console.state.fault = () => problemOf('unauthenticated');
    const resume = dialog.getByRole('button', { name: 'I have signed in' });
    await resume.waitFor();
    console.state.token = console.state.mocks.tokens.owner;
    console.state.fault = undefined;
    await resume.click();
    await resume.waitFor({ state: 'detached' });
    expect(await dialog.getByText(/^gh_cs_/).textContent()).toBe(secret);
  });

  const isWrite = ({ method, url }: Request) => method !== 'GET' && !url.includes('/what-if');

  async function fillIn({ path, open, at, typed, send, fill }: Form) {
    const page = await console.open(await console.addressOf(path), { isHasty: true });
    await open?.(page);
    const field = at(page);
    await field.fill(typed);
    await fill?.(page);
    return { page, field, send: () => send(page) };
  }
});
