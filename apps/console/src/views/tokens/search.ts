import { fieldsOf, flag, text } from '../../api/fields.ts';

/** What a URL says of the list. */
export const tokensSearch = fieldsOf({
  name: text,
  unused: flag,
  sort: text,
});
