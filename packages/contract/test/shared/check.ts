import type * as z from 'zod';
import { requestProblem } from '../../src/index.ts';

/** Parses a body and says `ok`, or the faults as `code pointer` lines. */
export function check(schema: z.ZodType, body: unknown): string[] | 'ok' {
  const result = schema.safeParse(body);
  if (result.success) return 'ok';
  return requestProblem({ body: result.error.issues }).errors.map(
    ({ code, pointer }) => `${code} ${pointer}`,
  );
}

/** True when a value passes a schema. */
export function accepts(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}
