import { memberRoleLabels } from '@gatehouse/contract';
import { fieldsOf, flag, id, oneOf, text } from '../../api/fields.ts';
import { keysOf } from '../../api/keys-of.ts';
import { accessLabels } from './labels.ts';

/** What a URL says of the view. */
export const accessSearch = fieldsOf({
  view: oneOf(['table']),
  /** Words of the names at both ends of an edge. */
  find: text,
  access: oneOf(keysOf(accessLabels)),
  /** The id of the application or integration that is looked at. */
  focus: text,
  /** The other end of the edge that is chosen. */
  other: text,
  /** Whether all but the focus and its neighbours is hidden. */
  only: flag,
  /** Whether it is asked what would follow from adding or removing the chosen edge. */
  tried: flag,
  forUserId: id,
  forGroup: id,
  forRole: oneOf(keysOf(memberRoleLabels)),
  sort: text,
});

export type AccessSearch = ReturnType<typeof accessSearch>;

/** What a person may use and what not, each as a line: what is refused comes first, with its reasons. */
export function accessOf(forUserId: string): AccessSearch {
  return { forUserId, view: 'table', sort: '-access' };
}
