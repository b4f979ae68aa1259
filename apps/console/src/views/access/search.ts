import { memberRoleLabels } from '@gatehouse/contract';
import * as z from 'zod/mini';
import { keysOf } from '../../api/keys-of.ts';
import { optional } from '../search-fields.ts';
import { accessLabels } from './labels.ts';

/** What a URL says of the view. */
export const accessSearch = z.object({
  view: optional(z.literal('table')),
  /** Words of the names at both ends of an edge. */
  find: optional(z.string()),
  access: optional(z.enum(keysOf(accessLabels))),
  /** The id of the application or integration that is looked at. */
  focus: optional(z.string()),
  /** The other end of the edge that is chosen. */
  other: optional(z.string()),
  /** Whether all but the focus and its neighbours is hidden. */
  only: optional(z.literal(true)),
  /** Whether it is asked what would follow from adding or removing the chosen edge. */
  tried: optional(z.literal(true)),
  forUserId: optional(z.uuid()),
  forGroup: optional(z.uuid()),
  forRole: optional(z.enum(keysOf(memberRoleLabels))),
  sort: optional(z.string()),
});

export type AccessSearch = z.output<typeof accessSearch>;

/** What a person may use and what not, each as a line: what is refused comes first, with its reasons. */
export function accessOf(forUserId: string): AccessSearch {
  return { forUserId, view: 'table', sort: '-access' };
}
