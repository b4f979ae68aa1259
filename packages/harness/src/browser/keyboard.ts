import type { Locator } from 'playwright-core';

/** More controls than any view has before the one that is looked for. */
const MOST_STEPS = 150;

/** Where the focus is, as seen from a control. */
interface Focus {
  readonly isHere: boolean;
  /** Among the items of a menu or the choices of one group, where arrows lead from one to the next. */
  readonly isBeside: boolean;
  /** Whether it can be seen, or is on nothing. */
  readonly isVisible: boolean;
}

/** What is used of the page. Programs that import this are compiled without the types of the DOM. */
interface Control {
  readonly type?: string;
  readonly name?: string;
  closest(selector: string): { contains(other: Control): boolean } | null;
}

interface Window {
  readonly document: { readonly activeElement: Control | null; readonly body: Control };
  getComputedStyle(control: Control): { readonly outlineStyle: string };
}

/** Runs in the page. */
function focusFrom(control: Control): Focus {
  const { document, getComputedStyle } = globalThis as unknown as Window;
  const active = document.activeElement ?? document.body;
  const group = control.closest('[role=menu], [role=radiogroup], [role=listbox]');
  const isRadio =
    control.type === 'radio' && active.type === 'radio' && control.name === active.name;
  return {
    isHere: control === active,
    isBeside: isRadio || (group?.contains(active) ?? false),
    isVisible: active === document.body || getComputedStyle(active).outlineStyle !== 'none',
  };
}

/**
 * Moves the focus to a control with Tab, and with arrows in its menu or group.
 *
 * @throws Error if no key leads there, or the focus cannot be seen on the way
 */
async function reachByKeyboard(control: Locator): Promise<void> {
  await control.waitFor();
  const { keyboard } = control.page();
  let focus = await control.evaluate(focusFrom);
  for (let step = 0; !focus.isHere; step += 1) {
    if (step === MOST_STEPS) throw new Error(`${MOST_STEPS} keys do not lead to ${control}.`);
    await keyboard.press(focus.isBeside ? 'ArrowDown' : 'Tab');
    focus = await control.evaluate(focusFrom);
    if (!focus.isVisible) throw new Error(`The focus cannot be seen on the way to ${control}.`);
  }
}

/** Presses Enter on a control, or Space on a choice, where Enter would send the form. */
export async function pressByKeyboard(control: Locator): Promise<void> {
  await reachByKeyboard(control);
  const type = await control.evaluate((each: Control) => each.type);
  await control.page().keyboard.press(type === 'radio' || type === 'checkbox' ? 'Space' : 'Enter');
}

/** Replaces the text of a field. */
export async function typeByKeyboard(field: Locator, text: string): Promise<void> {
  await reachByKeyboard(field);
  const { keyboard } = field.page();
  await keyboard.press('Control+a');
  await keyboard.type(text);
}
