import {
  actorIdOf,
  concernedIdsOf,
  type ManagementEvent,
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
  const recorded = events.map((event) => {
    const { id, createdAt: at } = createId();
    return { id, event, text: JSON.stringify(presentEvent({ id, at, event }, names)) };
  });
  const data = recorded.map(({ id, event, text }) => ({
    id,
    organizationId: event.actor.organizationId,
    action: event.action,
    actorId: actorIdOf(event.actor) ?? null,
    concerns: concernedIdsOf(event),
    event: text,
    run,
  }));
  await db.auditEvent.createMany({ data });
  return recorded;
}

function idsOf({ actor, targetId }: ManagementEvent): string[] {
  const actorId = actorIdOf(actor);
  const named = namedIdOf(targetId);
  return actorId === undefined ? [named] : [named, actorId];
}
