import * as z from 'zod';

/** The distinct values of a list in order of first appearance. */
export function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** A set sent as a list of at most `max` distinct values. Duplicates are removed. */
export function setSchema<Item extends z.ZodType>(item: Item, max: number): z.ZodArray<Item> {
  return withAtMost(z.array(item).overwrite(unique), max);
}

/** A list of at most `max` distinct values. Duplicates are kept. */
export function withAtMost<List extends z.ZodArray>(list: List, max: number): List {
  return list
    .superRefine((values, context) => {
      if (new Set(values).size <= max) return;
      context.addIssue({ code: 'too_big', origin: 'set', maximum: max, inclusive: true });
    })
    .describe(`At most ${max} different values.`);
}
