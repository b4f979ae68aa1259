import type { Caller } from '../http/operation.ts';
import { actorOf, record } from './record.ts';

/** Milliseconds in which a reader who follows a list leaves one event. */
const ONCE_IN = 10 * 60_000;

/** Records that a person reads the audit with this filter, unless that is recorded already. */
export function noteReading(
  call: Pick<Caller, 'state' | 'actor' | 'requestId'>,
  filter: Readonly<Record<string, unknown>>,
): void {
  const { state, actor } = call;
  const { auditReadings } = state;
  for (const [key, notedAt] of auditReadings) {
    if (Date.now() - notedAt >= ONCE_IN) auditReadings.delete(key);
  }
  const key = JSON.stringify([actor.userId, filter]);
  if (auditReadings.has(key)) return;
  auditReadings.set(key, Date.now());
  const fields = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  const targetId = actor.organizationId;
  record(state, { action: 'audit.read', actor: actorOf(call), targetId, filter: fields });
}
