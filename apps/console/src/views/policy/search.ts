import { fieldsOf, oneOf, text } from '../../api/fields.ts';

/** What a URL says of the rules of an attachment. */
export const attachmentPolicySearch = fieldsOf({ show: oneOf(['refused']) });

/** What a URL says of the rules of an integration. */
export const integrationPolicySearch = fieldsOf({
  show: oneOf(['refused']),
  /** The application with the rules that are shown; absent for those of every application. */
  application: text,
});
