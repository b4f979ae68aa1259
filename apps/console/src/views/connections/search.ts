import { fieldsOf, text } from '../../api/fields.ts';

export const connectionsSearch = fieldsOf({
  /** The integration that the person came to connect: where links lead that clients show. */
  connect: text,
});
