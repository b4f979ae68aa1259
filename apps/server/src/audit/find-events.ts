import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import type { AuditEvent } from './event.ts';
import {
  type EventsFilter,
  type EventsPage,
  type FoundEvents,
  matches,
  NO_EVENTS,
  rangeOf,
} from './events-filter.ts';
import { findCall, findCalls } from './find-calls.ts';

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
  // Events that one of the two has not reached yet come on a later page.
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

/** Rows that one request reads in search of those that match what no index is for. */
const REACH = 1_000;

/** Management events of an organization, the newest first. */
export async function findManagementEvents(
  db: Db,
  organizationId: string,
  filter: EventsFilter,
  { before, take }: EventsPage,
): Promise<FoundEvents> {
  if (filter.method !== undefined || filter.tool !== undefined) return NO_EVENTS;
  const { first, end } = rangeOf(filter, before);
  const reach = isByIndexAlone(filter) ? take : REACH;
  const rows = await db.$queryRaw<{ readonly id: string; readonly event: string }[]>`
    SELECT "id", "event" FROM "AuditEvent"
    WHERE "organizationId" = ${organizationId}::uuid AND "id" >= ${first}::uuid AND "id" < ${end}::uuid
      ${concerning(filter)}
    ORDER BY "id" DESC LIMIT ${reach}`;
  const events = rows.map(({ event }): AuditEvent => JSON.parse(event));
  return {
    rows: events.filter((event) => matches(event, filter)).slice(0, take),
    reachedId: rows.length < reach ? null : (rows.at(-1)?.id ?? null),
  };
}

/** Undefined for the id of no management event of the organization. */
async function findManagementEvent(
  db: Db,
  organizationId: string,
  id: string,
): Promise<AuditEvent | undefined> {
  const row = await db.auditEvent.findFirst({ where: { id, organizationId } });
  return row === null ? undefined : JSON.parse(row.event);
}

/** The index of what an event concerns leads to few rows, however many others there are. */
function concerning({ userId, applicationId, integrationId, actorId }: EventsFilter): Prisma.Sql {
  const ids = [userId, applicationId, integrationId, actorId].filter((id) => id !== undefined);
  return ids.length === 0 ? Prisma.empty : Prisma.sql`AND "concerns" @> ${ids}::uuid[]`;
}

function isByIndexAlone({ action, outcome, requestId, actorId }: EventsFilter): boolean {
  return [action, outcome, requestId, actorId].every((value) => value === undefined);
}
