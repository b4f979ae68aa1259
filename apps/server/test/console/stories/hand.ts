import { pressByKeyboard, typeByKeyboard } from '@gatehouse/harness';
import { testDatabaseKind } from '../../support/database.ts';
import type { Locator } from './console-browser.ts';

/** How a person works the controls of a page. */
export interface Hand {
  press(control: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
}

const mouse: Hand = {
  press: (control) => control.click(),
  type: (field, text) => field.fill(text),
};

const keyboard: Hand = { press: pressByKeyboard, type: typeByKeyboard };

/** The stories run twice, on each store: once by mouse, and once by keyboard alone, which does not rest on the store. */
export const { press, type } = testDatabaseKind === 'pglite' ? keyboard : mouse;
