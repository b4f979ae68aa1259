import type { ManagementEvent } from './events.schema.ts';

/** The ids of one event in the index. An application may attach 500 integrations at once. */
const MAX_CONCERNS = 1000;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every id in the event: who acts, by which means, on what, and what the change refers to. */
export function concernedIdsOf(event: ManagementEvent): string[] {
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
