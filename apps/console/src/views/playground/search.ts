import * as z from 'zod/mini';
import { optional } from '../search-fields.ts';

/** What a URL says of the playground. Arguments are never in it: they may be secret. */
export const playgroundSearch = z.object({
  application: optional(z.uuid()),
  integration: optional(z.uuid()),
  tool: optional(z.string()),
  /** Without it, the newest one that the server speaks. */
  era: optional(z.enum(['modern', 'legacy'])),
});
