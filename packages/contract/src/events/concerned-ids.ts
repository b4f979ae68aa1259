import type { AuditEvent } from '../audit-events/audit-events.schema.ts';

/** The ids of one event in the index. An application may attach 500 integrations at once. */
const MAX_CONCERNS = 1000;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every id in an event: who acts, by which means, on what, and what the change refers to. Names are not searched. */
export function concernedIdsOf({ actor, requestId, target, details }: AuditEvent): string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const part of value.split(':')) if (ID.test(part)) found.add(part);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) collect(inner);
    }
  };
  const { changes: _, ...others } = details;
  collect([actor.id, actor.via, requestId, target.id, others]);
  return [...found].slice(0, MAX_CONCERNS);
}
