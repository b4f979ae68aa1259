import * as z from 'zod';
import { isJsonObject } from './json.ts';
import { limits } from './limits.ts';

/**
 * An object with names of the caller's choice, at most 32. They are counted before one is parsed.
 * Rejects the name `__proto__`, which zod would drop silently.
 */
export function recordSchema<Value extends z.ZodType>(
  name: z.ZodString,
  value: Value,
): z.ZodType<Record<string, z.output<Value>>, Record<string, z.input<Value>>>;
export function recordSchema(name: z.ZodString, value: z.ZodType): z.ZodType {
  return z.preprocess(
    (input, context) => {
      if (!isJsonObject(input)) return input;
      if (Object.keys(input).length > limits.jsonProperties) {
        const message = `Must not have more than ${limits.jsonProperties} properties.`;
        context.addIssue({ code: 'custom', message });
      } else if (Object.hasOwn(input, '__proto__')) {
        const message = 'Must not have this name.';
        context.addIssue({ code: 'custom', path: ['__proto__'], message });
      }
      return input;
    },
    z.record(name, value),
  );
}
