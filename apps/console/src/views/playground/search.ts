import * as z from 'zod/mini';
import { optional } from '../search-fields.ts';

/** All integrations of an application. */
export const ALL = 'all';

/** What a URL says of the playground. Arguments are never in it: they may be secret. */
export const playgroundSearch = z.object({
  application: optional(z.uuid()),
  /** `all` for all of them by the one URL of the application. */
  integration: optional(z.union([z.uuid(), z.literal(ALL)])),
  /** Without it, tools. */
  kind: optional(z.enum(['prompts', 'resources'])),
  /** Of the tool or prompt, the URI of the resource. */
  name: optional(z.string()),
  /** Without it, the newest one that the server speaks. */
  era: optional(z.enum(['modern', 'legacy'])),
});
