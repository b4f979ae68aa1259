import * as z from 'zod';
import { limits } from './limits.ts';

/** The distinct values of a list in order of first appearance. */
export function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** A set sent as a list of at most `max` distinct values. Duplicates are removed. */
export function setSchema<Item extends z.ZodType>(item: Item, max: number): ListSchema<Item> {
  return withAtMost(z.array(item).overwrite(unique), max);
}

/** A list of at most `max` distinct values. Duplicates are kept. */
export function withAtMost<Item extends z.ZodType>(
  list: z.ZodArray<Item>,
  max: number,
): ListSchema<Item> {
  return boundedList(
    list.superRefine((values, context) => {
      if (new Set(values).size > max) context.addIssue(setTooBig(max));
    }),
    max,
  ).describe(`At most ${max} different values.`);
}

/**
 * Counts the items of a list as sent, and the different ones, before the first is parsed. Those that
 * differ in case alone count once here: parsing may make them equal.
 */
export function boundedList<Item extends z.ZodType>(
  list: z.ZodArray<Item>,
  maxDifferent?: number,
): ListSchema<Item>;
export function boundedList(list: z.ZodArray, maxDifferent: number = limits.listItems): z.ZodType {
  return z.preprocess((input, context) => {
    if (!Array.isArray(input)) return input;
    if (input.length > limits.listItems) {
      context.addIssue({ ...tooBig('array', limits.listItems), input });
    } else if (new Set(input.map(withoutCase)).size > maxDifferent) {
      context.addIssue({ ...setTooBig(maxDifferent), input });
    }
    return input;
  }, list);
}

type ListSchema<Item extends z.ZodType> = z.ZodType<z.output<Item>[], z.input<Item>[]>;

function withoutCase(item: unknown): unknown {
  return typeof item === 'string' ? item.toLowerCase() : item;
}

function setTooBig(maximum: number) {
  return tooBig('set', maximum);
}

function tooBig(origin: 'array' | 'set', maximum: number) {
  return { code: 'too_big', origin, maximum, inclusive: true } as const;
}
