import { setImmediate } from 'node:timers/promises';
import type { JsonNode } from './node.ts';
import type { Shape } from './shape.ts';
import { JsonTree } from './tree.ts';

/** Bytes of the longest text that is read without a pause. */
export const MAX_AT_ONCE = 256 * 1024;

/**
 * Finds the values of a JSON text that a shape names. The text may have up to {@link MAX_AT_ONCE}; a longer one is read
 * by {@link parse}.
 *
 * @returns undefined if the text is not JSON, or has more such values than nodes are made of
 */
export function parseAtOnce(text: Buffer, shape: Shape): JsonNode | undefined {
  const tree = new JsonTree({ buffer: text, base: 0 }, shape);
  return tree.feed(text) && tree.end() && !tree.isFull ? tree.root : undefined;
}

/** The same for a text of any length: a long one is read with pauses in which other calls go on, a short one at once. */
export function parse(
  text: Buffer,
  shape: Shape,
): JsonNode | undefined | Promise<JsonNode | undefined> {
  return text.length <= MAX_AT_ONCE ? parseAtOnce(text, shape) : parseLong(text, shape);
}

async function parseLong(text: Buffer, shape: Shape): Promise<JsonNode | undefined> {
  const tree = new JsonTree({ buffer: text, base: 0 }, shape);
  for (let start = 0; start < text.length; start += MAX_AT_ONCE) {
    if (start > 0) await setImmediate();
    const isJson = tree.feed(text.subarray(start, start + MAX_AT_ONCE));
    if (!isJson || tree.isFull) return undefined;
  }
  return tree.end() ? tree.root : undefined;
}
