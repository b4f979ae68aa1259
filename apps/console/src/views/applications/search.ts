import { fieldsOf, flag, oneOf, text } from '../../api/fields.ts';

export const applicationsSearch = fieldsOf({
  /** Those of the whole organization, for admins. */
  all: flag,
  archived: flag,
  sort: text,
});

export const applicationSearch = fieldsOf({
  tab: oneOf(['client', 'integrations', 'sessions', 'settings', 'history']),
  /** The dialog that is open. */
  ask: oneOf(['attach', 'revoke', 'archive']),
  /** The client that its snippet is shown for. */
  client: text,
});

export const newApplicationSearch = fieldsOf({ client: text });
