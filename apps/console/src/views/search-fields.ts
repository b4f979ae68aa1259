import * as z from 'zod/mini';

/** A search parameter that may be absent, and is left out where a URL has it wrong. */
export function optional<Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniOptional<z.ZodMiniCatch<z.ZodMiniOptional<Schema>>> {
  return z.optional(z.catch(z.optional(schema), undefined));
}
