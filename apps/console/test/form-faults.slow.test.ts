import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { useConsole } from './support/console.ts';
import { type Fault, problemOf, tryAgainAtOnce, WRITE_FAULTS } from './support/faults.ts';
import { FORMS, type Form } from './support/forms.ts';

const SOURCES = fileURLToPath(new URL('../src/views/', import.meta.url));

/** What a form says that has no other sentence for what someone else has changed. */
const CHANGED: Fault = {
  name: 'precondition_failed',
  respond: () => problemOf('precondition_failed'),
  sentence: 'The resource was changed in the meantime.',
};

/** They keep what is typed too, and only the tests of their views try them. */
const ELSEWHERE: readonly string[] = [
  'integrations/client-form.tsx',
  'integrations/url-form.tsx',
  'people/remove-dialog.tsx',
  'playground/form/tool-form.tsx',
  'shown-once.tsx',
];

it('every form is tried with what can go wrong', () => {
  const keepTyped = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.tsx') && readFileSync(`${SOURCES}${file}`, 'utf8').includes('useBegunForm('),
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
    await page.getByText('You are signed out. What you have typed is still here.').waitFor();
    expect(await field.inputValue()).toBe(form.typed);
  });

  const isWrite = ({ method, url }: Request) => method !== 'GET' && !url.includes('/what-if');

  async function fillIn({ path, open, at, typed, send, fill }: Form) {
    const page = await console.open('about:blank');
    await tryAgainAtOnce(page);
    await page.goto(await console.addressOf(path));
    await open?.(page);
    const field = at(page);
    await field.fill(typed);
    await fill?.(page);
    return { page, field, send: () => send(page) };
  }
});
