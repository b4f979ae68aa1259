import { isDeepStrictEqual } from 'node:util';
import { type EventOrigin, type EventRow, eventRowOf } from '../../platform/events/event-row.ts';
import type { AuditEvent } from '../event.ts';

/** The columns of a stored event that do not follow from its text and from what its block says of it. */
export function changedColumnsOf(row: EventRow, event: AuditEvent, origin: EventOrigin): string[] {
  const { concerns, ...columns } = eventRowOf(event, origin);
  const stored = new Map<string, unknown>(Object.entries(row));
  const changed = Object.entries(columns)
    .filter(([name, value]) => !isDeepStrictEqual(stored.get(name), value))
    .map(([name]) => name);
  return isSame(row, concerns) ? changed : [...changed, 'concerns'];
}

/** In any order. Earlier versions also took ids out of the name of a target that was gone. */
function isSame({ concerns, event }: EventRow, expected: readonly string[]): boolean {
  const stored = new Set(concerns);
  return expected.every((id) => stored.has(id)) && concerns.every((id) => event.includes(id));
}
