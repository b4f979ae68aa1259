import type { ManagementEvent } from '@gatehouse/contract';
import type { Prisma } from '../../generated/prisma/client.ts';
import { createId } from '../ids.ts';
import { actorIdOf, eventText, namedIdOf } from './event-text.ts';
import { readNames } from './read-names.ts';

/** The ids of one event in the index. An application may attach 500 integrations at once. */
const MAX_CONCERNS = 1000;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An event that has been committed. */
export interface RecordedEvent {
  readonly id: string;
  readonly event: ManagementEvent;
  /** The event in JSON, as its row has it. */
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
    return { id, event, text: eventText({ id, at, event }, names) };
  });
  const data = recorded.map(({ id, event, text }) => ({
    id,
    organizationId: event.actor.organizationId,
    action: event.action,
    actorId: actorIdOf(event.actor) ?? null,
    concerns: concernsOf(event),
    event: text,
    run,
  }));
  await db.auditEvent.createMany({ data });
  return recorded;
}

/** Every id in the event: who acts, by which means, on what, and what the change refers to. */
function concernsOf(event: ManagementEvent): string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const part of value.split(':')) if (ID.test(part)) found.add(part);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) collect(inner);
    }
  };
  const { organizationId: _, ...actor } = event.actor;
  collect({ ...event, actor, changes: undefined });
  return [...found].slice(0, MAX_CONCERNS);
}

function idsOf({ actor, targetId }: ManagementEvent): string[] {
  const actorId = actorIdOf(actor);
  const named = namedIdOf(targetId);
  return actorId === undefined ? [named] : [named, actorId];
}
