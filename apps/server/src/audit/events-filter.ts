import type { AuditEventKind } from '@gatehouse/contract';
import { MAX_ID, NIL } from '../platform/database/index-range.ts';
import { smallestIdAt } from '../platform/ids.ts';
import type { AuditEvent } from './event.ts';

/** Which events a list has: those that match every field. */
export interface EventsFilter {
  readonly kind?: AuditEventKind | undefined;
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly userId?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly integrationId?: string | undefined;
  /** One, or several, separated by commas. */
  readonly outcome?: string | undefined;
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  readonly requestId?: string | undefined;
  /** ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A place in the order of ids, and how many events to read before it. */
export interface EventsPage {
  readonly before: string | undefined;
  readonly take: number;
}

export interface FoundEvents {
  /** The newest first. */
  readonly rows: readonly AuditEvent[];
  /** Every event from this id on has been looked at; null if there are no others. */
  readonly reachedId: string | null;
}

export const NO_EVENTS: FoundEvents = { rows: [], reachedId: null };

/** The ids of a page: from the first one, which is included, to the last, which is not. */
export function rangeOf(
  { from, to }: EventsFilter,
  before: string | undefined,
): { readonly first: string; readonly end: string } {
  const end = to === undefined ? MAX_ID : smallestIdAt(Date.parse(to));
  return {
    first: from === undefined ? NIL : smallestIdAt(Date.parse(from)),
    end: before !== undefined && before < end ? before : end,
  };
}

/** Whether an event is among those of a filter. Management events concern what they name anywhere. */
export function matches(event: AuditEvent, filter: EventsFilter): boolean {
  const { action, actorId, outcome, requestId } = filter;
  return (
    isOrAny(event.action, action) &&
    isOrAny(event.actor.id, actorId) &&
    (outcome === undefined || outcome.split(',').includes(event.outcome)) &&
    isOrAny(event.requestId, requestId) &&
    (event.kind === 'management' || matchesCall(event, filter))
  );
}

function matchesCall(
  { actor, details }: Extract<AuditEvent, { kind: 'call' }>,
  { userId, applicationId, integrationId, method, tool }: EventsFilter,
): boolean {
  const isTool = tool === undefined || details.method === 'tools/call';
  return (
    isTool &&
    isOrAny(details.name, tool) &&
    isOrAny(details.method, method) &&
    isOrAny(details.applicationId, applicationId) &&
    isOrAny(details.integrationId, integrationId) &&
    (userId === undefined || userId === details.userId || userId === actor.id)
  );
}

function isOrAny(value: string | null, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}
