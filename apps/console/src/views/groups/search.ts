import { fieldsOf, text } from '../../api/fields.ts';

/** What a URL says of the list. */
export const groupsSearch = fieldsOf({ name: text, sort: text });

/** What a URL says of the members of a group. */
export const groupSearch = fieldsOf({ find: text, sort: text });
