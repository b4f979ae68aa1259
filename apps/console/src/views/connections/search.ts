import * as z from 'zod/mini';
import { optional } from '../search-fields.ts';

export const connectionsSearch = z.object({
  /** The integration that the person came to connect: where links lead that clients show. */
  connect: optional(z.string()),
});
