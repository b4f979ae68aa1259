import {
  type AuditEvent,
  actorIdOf,
  concernedIdsOf,
  type ManagementEvent,
  type NamesById,
  namedIdOf,
  presentEvent,
} from '@gatehouse/contract';
import { Prisma, type AuditEvent as Row } from '../../generated/prisma/client.ts';
import { createId } from '../ids.ts';

/** An event that has been committed. */
export interface RecordedEvent {
  readonly id: string;
  readonly event: ManagementEvent;
  /** The event in JSON, as its row has it, so that its digest can be computed again at any time. */
  readonly text: string;
}

/**
 * Writes the events of a transaction as its last rows.
 *
 * @param run of this process
 */
export async function writeEvents(
  db: Prisma.TransactionClient,
  run: string,
  events: readonly ManagementEvent[],
): Promise<RecordedEvent[]> {
  const names = await readNames(db, events.flatMap(idsOf));
  const rows = events.map((event) => newEventRow(run, event, names));
  await db.auditEvent.createMany({ data: rows });
  return events.map((event, index) => {
    const { id, event: text } = rows[index] as EventRow;
    return { id, event, text };
  });
}

/** The row of an event that happens now. */
export function newEventRow(run: string, event: ManagementEvent, names: NamesById): EventRow {
  const { id, createdAt: at } = createId();
  const { organizationId } = event.actor;
  return eventRowOf(presentEvent({ id, at, event }, names), { organizationId, run });
}

function idsOf({ actor, targetId }: ManagementEvent): string[] {
  const actorId = actorIdOf(actor);
  const named = namedIdOf(targetId);
  return actorId === undefined ? [named] : [named, actorId];
}

/** The columns of `AuditEvent` that are written with the event; the others say which block has taken it in. */
export type EventRow = Omit<Row, 'blockRun' | 'blockNumber'>;

/** The organization and run of an event, which blocks name beside its text. */
export interface EventOrigin {
  readonly organizationId: string;
  /** The run that committed it. */
  readonly run: string;
}

/**
 * The row of an event. Writers store it, and verification compares it with what is stored: a column that lists are made
 * by has no other source.
 */
export function eventRowOf(event: AuditEvent, { organizationId, run }: EventOrigin): EventRow {
  return {
    id: event.id,
    organizationId,
    action: event.action,
    actorId: event.actor.id,
    concerns: concernedIdsOf(event),
    event: JSON.stringify(event),
    run,
  };
}

/** The names that rows have now, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The names of what an event may be by or about, as far as the rows are there. */
async function readNames(db: Prisma.TransactionClient, ids: readonly string[]): Promise<Names> {
  return namesOf(await db.$queryRaw(selectNames(ids)));
}

export function selectNames(ids: readonly string[]): Prisma.Sql {
  const wanted = `{${[...new Set(ids)].join()}}`;
  return Prisma.sql`
    SELECT "id", "name" FROM "User" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Application" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Integration" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Group" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Token" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Organization" WHERE "id" = ANY(${wanted}::uuid[])`;
}

/** @param rows what {@link selectNames} has found */
export function namesOf(rows: unknown): Names {
  const named = rows as readonly { readonly id: string; readonly name: string }[];
  return new Map(named.map(({ id, name }) => [id, name]));
}
