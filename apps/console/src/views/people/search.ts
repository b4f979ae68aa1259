import { memberRoleLabels } from '@gatehouse/contract';
import { fieldsOf, oneOf, text } from '../../api/fields.ts';
import { keysOf } from '../../api/keys-of.ts';

/** What a URL says of the list. */
export const peopleSearch = fieldsOf({
  /** Words of names and e-mail addresses. */
  find: text,
  role: oneOf(keysOf(memberRoleLabels)),
  sort: text,
});
