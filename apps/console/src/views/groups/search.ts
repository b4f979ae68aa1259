import * as z from 'zod/mini';
import { optional } from '../search-fields.ts';

/** What a URL says of the list. */
export const groupsSearch = z.object({ name: optional(z.string()), sort: optional(z.string()) });

/** What a URL says of the members of a group. */
export const groupSearch = z.object({ find: optional(z.string()), sort: optional(z.string()) });
