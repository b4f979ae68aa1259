import { type AuditEvent, concernedIdsOf } from '@gatehouse/contract';
import type { AuditEvent as Row } from '../../generated/prisma/client.ts';

/** The columns of `AuditEvent` that are written with the event; the others say which block has taken it in. */
export type EventRow = Omit<Row, 'blockRun' | 'blockNumber'>;

/** What blocks say of an event beside its text. */
export interface EventOrigin {
  readonly organizationId: string;
  /** The run that committed it. */
  readonly run: string;
}

/**
 * The row of an event. Writers store it, and verification compares it with what is stored: a column that lists are made
 * by has no other source.
 */
export function eventRowOf(event: AuditEvent, { organizationId, run }: EventOrigin): EventRow {
  return {
    id: event.id,
    organizationId,
    action: event.action,
    actorId: event.actor.id,
    concerns: concernedIdsOf(event),
    event: JSON.stringify(event),
    run,
  };
}
