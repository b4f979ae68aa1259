import type { Db } from '../platform/database/store.ts';
import type { AuditEvent } from './event.ts';
import {
  type EventsFilter,
  type EventsPage,
  type FoundEvents,
  NO_EVENTS,
} from './events-filter.ts';
import { findCall, findCalls } from './find-calls.ts';
import { findManagementEvent, findManagementEvents } from './find-management-events.ts';

/**
 * Management and call events of an organization in one order, the newest first. A request reads a bounded number of rows
 * and blocks: it may find fewer events than there are.
 */
export async function findEvents(
  db: Db,
  organizationId: string,
  filter: EventsFilter,
  page: EventsPage,
): Promise<FoundEvents> {
  const { kind } = filter;
  const [calls, changes] = [
    kind === 'management' ? NO_EVENTS : await findCalls(db, organizationId, filter, page),
    kind === 'call' ? NO_EVENTS : await findManagementEvents(db, organizationId, filter, page),
  ];
  // What one of the two has not looked at yet comes on a later page.
  const floor = later(calls.reachedId, changes.reachedId);
  const rows = [...calls.rows, ...changes.rows]
    .filter(({ id }) => floor === null || id >= floor)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  return { rows: rows.slice(0, page.take), reachedId: floor };
}

/** Undefined for the id of no event of the organization. */
export async function findEvent(
  db: Db,
  organizationId: string,
  id: string,
): Promise<AuditEvent | undefined> {
  const change = await findManagementEvent(db, organizationId, id);
  return change ?? findCall(db, organizationId, id);
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
