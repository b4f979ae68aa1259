import { limits } from '@gatehouse/contract';

/**
 * A name that may be shown: without control characters and those that turn the direction of text, at
 * most 200 characters. Undefined if nothing is left.
 */
export function displayText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const characters = [
    ...value
      .slice(0, 4 * limits.displayName)
      .replaceAll(/\p{C}+/gu, ' ')
      .trim(),
  ];
  const text = characters.slice(0, limits.displayName).join('').trim();
  return text === '' ? undefined : text;
}
