import {
  actorIdOf,
  concernedIdsOf,
  type ManagementEvent,
  type NamesById,
  namedIdOf,
  presentEvent,
} from '@gatehouse/contract';
import type { Prisma } from '../../generated/prisma/client.ts';
import { createId } from '../ids.ts';
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
  const rows = events.map((event) => eventRow(run, event, names));
  await db.auditEvent.createMany({ data: rows });
  return events.map((event, index) => {
    const { id, event: text } = rows[index] as EventRow;
    return { id, event, text };
  });
}

type EventRow = ReturnType<typeof eventRow>;

/** The columns of an event's row that are not left to the audit. */
export function eventRow(run: string, event: ManagementEvent, names: NamesById) {
  const { id, createdAt: at } = createId();
  return {
    id,
    organizationId: event.actor.organizationId,
    action: event.action,
    actorId: actorIdOf(event.actor) ?? null,
    concerns: concernedIdsOf(event),
    event: JSON.stringify(presentEvent({ id, at, event }, names)),
    run,
  };
}

function idsOf({ actor, targetId }: ManagementEvent): string[] {
  const actorId = actorIdOf(actor);
  const named = namedIdOf(targetId);
  return actorId === undefined ? [named] : [named, actorId];
}
