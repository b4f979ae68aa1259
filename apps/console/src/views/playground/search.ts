import { fieldsOf, id, oneOf, text } from '../../api/fields.ts';

/** All integrations of an application. */
export const ALL = 'all';

/** What a URL says of the playground. Arguments are never in it: they may be secret. */
export const playgroundSearch = fieldsOf({
  application: id,
  /** `all` for all of them by the one URL of the application. */
  integration: (value) => id(value) ?? oneOf([ALL])(value),
  /** Without it, tools. */
  kind: oneOf(['prompts', 'resources']),
  /** Of the tool or prompt, the URI of the resource. */
  name: text,
  /** Without it, the newest one that the server speaks. */
  era: oneOf(['modern', 'legacy']),
});
