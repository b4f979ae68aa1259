import * as z from 'zod';
import { limits } from './limits.ts';
import { atMost, isPrintable } from './text.ts';

/** A page size as text: a positive integer, 50 by default. More than the maximum becomes the maximum. */
export const limitSchema = z
  .string()
  .regex(/^[0-9]+$/, 'Must be a positive integer.')
  .transform(Number)
  .refine((value) => value >= 1, 'Must be a positive integer.')
  .transform((value) => Math.min(value, limits.pageMax))
  .prefault(String(limits.pageDefault));

/** A query flag: `true` or `false`, false by default. */
export const flagSchema = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .prefault('false');

/** A substring filter. The empty string means no filter. */
export const nameFilterSchema = atMost(z.string(), limits.name)
  .refine(isPrintable, 'Must not contain control characters.')
  .transform((value) => (value === '' ? undefined : value))
  .optional();

/** The query of every list. The server checks the cursor's tag (`invalid_cursor`). */
export const pageQuerySchema = z.object({ limit: limitSchema, cursor: z.string().optional() });

/** One page of a list. `nextCursor` is null on the last one. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

export type PageQuery = z.output<typeof pageQuerySchema>;
export type PageQueryInput = z.input<typeof pageQuerySchema>;

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}
