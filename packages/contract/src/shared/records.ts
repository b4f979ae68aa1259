import * as z from 'zod';
import { isJsonObject } from './json.ts';

/** Refuses the key `__proto__` of a record: zod would drop it, and say nothing. */
export function wholeRecordSchema<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodType<z.output<Schema>, z.input<Schema>>;
export function wholeRecordSchema(schema: z.ZodType): z.ZodType {
  return z.preprocess((input, context) => {
    if (isJsonObject(input) && Object.hasOwn(input, '__proto__')) {
      const message = 'Must not have this name.';
      context.addIssue({ code: 'custom', path: ['__proto__'], message });
    }
    return input;
  }, schema);
}
