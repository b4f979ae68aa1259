import type { Logger } from 'pino';
import type { RecordedEvent } from '../platform/events/write-events.ts';
import type { CallInput } from './encode-calls.ts';
import type { ManagementEvent } from './event.ts';

/** Writes events as lines of the log, for tools that read nothing else. */
export interface AuditLog {
  call(organizationId: string, event: CallInput): void;
  change(recorded: RecordedEvent): void;
}

export function createAuditLog(log: Logger): AuditLog {
  // Events have no secrets, and their fields have names that the log hides elsewhere.
  const lines = log.child({}, { redact: [] });
  return {
    call(organizationId, { at, ...event }) {
      const told = { kind: 'call', at: new Date(at).toISOString(), ...event };
      lines.info({ organizationId, event: told }, 'audit event');
    },
    change({ event: { actor }, text }) {
      const told = withoutValues(JSON.parse(text));
      lines.info({ organizationId: actor.organizationId, event: told }, 'audit event');
    },
  };
}

/** Of fields that have changed it tells the names. */
function withoutValues(event: ManagementEvent): ManagementEvent {
  const { changes } = event.details;
  if (!Array.isArray(changes)) return event;
  const fields = changes.map(({ field }) => ({ field }));
  return { ...event, details: { ...event.details, changes: fields } };
}
