import type { Locator } from 'playwright-core';
import { pressByKeyboard, typeByKeyboard } from './keyboard.ts';

/** How a person works the controls of a page. */
export interface Hand {
  press(control: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
}

export const mouse: Hand = {
  press: (control) => control.click(),
  type: (field, text) => field.fill(text),
};

export const keyboard: Hand = { press: pressByKeyboard, type: typeByKeyboard };
