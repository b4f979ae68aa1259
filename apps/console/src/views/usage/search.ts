import { fieldsOf, id, instant, oneOf, text } from '../../api/fields.ts';
import { keysOf } from '../../api/keys-of.ts';
import { rowLabels, spanLabels } from './labels.ts';

/** What a URL says of usage. */
export const usageSearch = fieldsOf({
  /** Up to now; the last 24 hours without it. */
  span: oneOf(keysOf(spanLabels)),
  /** Both together take the place of `span`. */
  from: instant,
  to: instant,
  application: id,
  integration: id,
  rows: oneOf(keysOf(rowLabels)),
  sort: text,
});

export type UsageSearch = ReturnType<typeof usageSearch>;
