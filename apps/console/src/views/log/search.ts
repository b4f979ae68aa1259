import type { ListAuditEventsQuery } from '@gatehouse/sdk';
import { fieldsOf, id, instant, matching, oneOf } from '../../api/fields.ts';
import { keysOf } from '../../api/keys-of.ts';
import { kindLabels } from './kinds.ts';

const words = matching(/^.{1,200}$/s);

/** What a URL says of the log: the query of the endpoint, and the event that is open. */
export const logSearch = fieldsOf({
  kind: oneOf(keysOf(kindLabels)),
  action: words,
  actorId: id,
  userId: id,
  applicationId: id,
  integrationId: id,
  /** One, or several, separated by commas. */
  outcome: words,
  method: words,
  tool: words,
  requestId: words,
  from: instant,
  to: instant,
  event: id,
});

export type LogSearch = ReturnType<typeof logSearch>;
export type LogFilter = Omit<ListAuditEventsQuery, 'limit' | 'cursor'>;

/** The outcomes of calls that Gatehouse did not let through. */
export const REFUSED = 'refused,policy,limited,credential';

export function filterOf({ event: _event, ...filter }: LogSearch): LogFilter {
  return filter;
}

export function isFiltered(filter: LogFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
