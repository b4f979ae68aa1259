import type { AuditEvent, ExportAuditEventsQuery, ListAuditEventsQuery } from '@gatehouse/contract';
import type { Caller } from '../http/operation.ts';
import { timeOfId } from '../state/ids.ts';
import type { AuditEventRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

/** Events that are kept: those that were added last. */
const MAX_EVENTS = 5_000;

export function addAuditEvent({ auditEvents }: State, row: AuditEventRow): void {
  auditEvents.set(row.event.id, row);
  const [oldest] = auditEvents.keys();
  if (auditEvents.size > MAX_EVENTS && oldest !== undefined) auditEvents.delete(oldest);
}

/** Lines of JSON like those of the service, without chains: nothing signs them. */
export function exportOf(
  { state, actor: { organizationId } }: Pick<Caller, 'state' | 'actor'>,
  span: ExportAuditEventsQuery,
): string {
  const events = [...state.auditEvents.values()].filter(
    (row) => row.organizationId === organizationId && isWithin(row.event, span),
  );
  const at = new Date().toISOString();
  const lines = [
    { type: 'export', version: 1, at, organizationId, ...span },
    ...events.map(({ event }) => ({ type: 'event', event })),
    { type: 'end', blocks: 0, events: events.length },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Whether an event is among those of a query. Management events concern what they name anywhere. */
export function matches({ event, concerns }: AuditEventRow, query: ListAuditEventsQuery): boolean {
  const { kind, action, actorId, outcome, requestId } = query;
  return (
    isOrAny(event.kind, kind) &&
    isOrAny(event.action, action) &&
    isOrAny(event.actor.id, actorId) &&
    (outcome === undefined || outcome.split(',').includes(event.outcome)) &&
    isOrAny(event.requestId, requestId) &&
    isWithin(event, query) &&
    [query.userId, query.applicationId, query.integrationId].every(
      (id) => id === undefined || concerns.includes(id),
    ) &&
    isOfMessage(event, query)
  );
}

function isWithin({ id }: AuditEvent, { from, to }: ExportAuditEventsQuery): boolean {
  const recordedAt = timeOfId(id);
  return (
    (from === undefined || recordedAt >= Date.parse(from)) &&
    (to === undefined || recordedAt < Date.parse(to))
  );
}

/** Only calls have a method. */
function isOfMessage({ details }: AuditEvent, { method, tool }: ListAuditEventsQuery): boolean {
  const isTool = tool === undefined || (details.method === 'tools/call' && details.name === tool);
  return isTool && isOrAny(details.method, method);
}

function isOrAny(value: unknown, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}
