import type { ManagementEvent } from '@gatehouse/contract';
import type { Prisma } from '../../generated/prisma/client.ts';
import { createId } from '../ids.ts';
import { actorIdOf, eventText, type Names, namedIdOf } from './event-text.ts';

/** The ids of one event in the index. An application may attach 500 integrations at once. */
const MAX_CONCERNS = 1000;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Writes the events of a transaction as its last rows. */
export async function writeEvents(
  db: Prisma.TransactionClient,
  events: readonly ManagementEvent[],
): Promise<void> {
  const names = await readNames(db, events);
  const rows = events.map((event) => {
    const { id, createdAt: at } = createId();
    const { organizationId } = event.actor;
    return {
      id,
      organizationId,
      action: event.action,
      actorId: actorIdOf(event.actor) ?? null,
      concerns: concernsOf(event),
      event: eventText({ id, at, event }, names),
    };
  });
  await db.auditEvent.createMany({ data: rows });
}

/** Only rows that are still there have a name: an event of a removed row brings it. */
async function readNames(
  db: Prisma.TransactionClient,
  events: readonly ManagementEvent[],
): Promise<Names> {
  const ids = events.flatMap(({ actor, targetId }) => [
    namedIdOf(targetId),
    actorIdOf(actor) ?? namedIdOf(targetId),
  ]);
  const rows = await db.$queryRaw<{ readonly id: string; readonly name: string }[]>`
    SELECT "id", "name" FROM "User" WHERE "id" = ANY(${ids}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Application" WHERE "id" = ANY(${ids}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Integration" WHERE "id" = ANY(${ids}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Group" WHERE "id" = ANY(${ids}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Token" WHERE "id" = ANY(${ids}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Organization" WHERE "id" = ANY(${ids}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
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
