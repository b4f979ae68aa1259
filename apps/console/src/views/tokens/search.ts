import * as z from 'zod/mini';
import { optional } from '../search-fields.ts';

/** What a URL says of the list. */
export const tokensSearch = z.object({
  name: optional(z.string()),
  unused: optional(z.literal(true)),
  sort: optional(z.string()),
});
