import * as z from 'zod';
import { isJsonObject } from './json.ts';

/** Rejects the key `__proto__` in a record, which zod would drop silently. */
export function safeRecordSchema<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodType<z.output<Schema>, z.input<Schema>>;
export function safeRecordSchema(schema: z.ZodType): z.ZodType {
  return z.preprocess((input, context) => {
    if (isJsonObject(input) && Object.hasOwn(input, '__proto__')) {
      const message = 'Must not have this name.';
      context.addIssue({ code: 'custom', path: ['__proto__'], message });
    }
    return input;
  }, schema);
}
