import * as z from 'zod/mini';
import { keysOf } from '../../api/keys-of.ts';
import { optional } from '../search-fields.ts';
import { rowLabels, spanLabels } from './labels.ts';

/** To the minute, in UTC: what a field for date and time has, with the zone. */
const instant = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
);

/** What a URL says of usage. */
export const usageSearch = z.object({
  /** Up to now; the last 24 hours without it. */
  span: optional(z.enum(keysOf(spanLabels))),
  /** Both together take the place of `span`. */
  from: optional(instant),
  to: optional(instant),
  application: optional(z.guid()),
  integration: optional(z.guid()),
  rows: optional(z.enum(keysOf(rowLabels))),
  sort: optional(z.string()),
});

export type UsageSearch = z.output<typeof usageSearch>;
