import {
  actorIdOf,
  type ManagementEvent,
  type NamesById,
  namedIdOf,
  presentEvent,
} from '@gatehouse/contract';
import type { Prisma } from '../../generated/prisma/client.ts';
import { createId } from '../ids.ts';
import { type EventRow, eventRowOf } from './event-row.ts';
import { readNames } from './read-names.ts';

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
