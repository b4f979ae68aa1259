import type { ListAuditEventsQuery } from '@gatehouse/sdk';
import * as z from 'zod/mini';
import { keysOf } from '../../api/keys-of.ts';
import { optional } from '../search-fields.ts';
import { kindLabels } from './kinds.ts';

const text = optional(z.string().check(z.minLength(1), z.maxLength(200)));
const id = optional(z.guid());
const instant = optional(z.iso.datetime({ offset: true }));

/** What a URL says of the log: the query of the endpoint, and the event that is open. */
export const logSearch = z.object({
  kind: optional(z.enum(keysOf(kindLabels))),
  action: text,
  actorId: id,
  userId: id,
  applicationId: id,
  integrationId: id,
  /** One, or several, separated by commas. */
  outcome: text,
  method: text,
  tool: text,
  requestId: text,
  from: instant,
  to: instant,
  event: id,
});

export type LogSearch = z.output<typeof logSearch>;
export type LogFilter = Omit<ListAuditEventsQuery, 'limit' | 'cursor'>;

/** The outcomes of calls that Gatehouse did not let through. */
export const REFUSED = 'refused,policy,limited,credential';

export function filterOf({ event: _event, ...filter }: LogSearch): LogFilter {
  return filter;
}

export function isFiltered(filter: LogFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
