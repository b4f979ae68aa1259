import { type Field, fieldsOf, id, instant, matching, oneOf, text } from '../../api/fields.ts';
import { keysOf } from '../../api/keys-of.ts';
import { rowLabels, spanLabels } from './labels.ts';

/** To the minute, in UTC: what a field for date and time has, with the zone. */
const minute: Field<string> = (value) => instant(matching(/^.{16}Z$/)(value));

/** What a URL says of usage. */
export const usageSearch = fieldsOf({
  /** Up to now; the last 24 hours without it. */
  span: oneOf(keysOf(spanLabels)),
  /** Both together take the place of `span`. */
  from: minute,
  to: minute,
  application: id,
  integration: id,
  rows: oneOf(keysOf(rowLabels)),
  sort: text,
});

export type UsageSearch = ReturnType<typeof usageSearch>;
