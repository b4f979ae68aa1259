import { memberRoleLabels } from '@gatehouse/contract';
import * as z from 'zod/mini';
import { keysOf } from '../../api/keys-of.ts';
import { optional } from '../search-fields.ts';

/** What a URL says of the list. */
export const peopleSearch = z.object({
  /** Words of names and e-mail addresses. */
  find: optional(z.string()),
  role: optional(z.enum(keysOf(memberRoleLabels))),
  sort: optional(z.string()),
});
