import * as z from 'zod/mini';
import { optional } from '../search-fields.ts';

export const applicationsSearch = z.object({
  /** Those of the whole organization, for admins. */
  all: optional(z.literal(true)),
  archived: optional(z.literal(true)),
  sort: optional(z.string()),
});

export const applicationSearch = z.object({
  tab: optional(z.enum(['client', 'integrations', 'sessions', 'settings', 'history'])),
  /** The dialog that is open. */
  ask: optional(z.enum(['attach', 'revoke', 'archive'])),
  /** The client that its snippet is shown for. */
  client: optional(z.string()),
});

export const newApplicationSearch = z.object({ client: optional(z.string()) });
