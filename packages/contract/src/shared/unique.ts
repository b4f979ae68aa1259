import * as z from 'zod';

/** The distinct values of a list in order of first appearance. */
export function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** A set that is sent as a list: duplicates collapse, and `max` counts distinct values. */
export function setSchema<Item extends z.ZodType>(item: Item, max: number): z.ZodArray<Item> {
  return withAtMost(z.array(item).overwrite(unique), max);
}

/** A list whose `max` counts distinct values, and which keeps its duplicates. */
export function withAtMost<List extends z.ZodArray>(list: List, max: number): List {
  return list
    .superRefine((values, context) => {
      if (new Set(values).size <= max) return;
      const message = `Must not have more than ${max} different values.`;
      context.addIssue({
        code: 'too_big',
        origin: 'array',
        maximum: max,
        inclusive: true,
        message,
      });
    })
    .describe(`At most ${max} different values.`);
}
