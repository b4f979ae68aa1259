import type { CallInput } from '../audit/encode-calls.ts';
import type { AuditWriter } from '../audit/writing/audit-writer.ts';
import type { Caller } from '../identity/caller.ts';
import type { CallMessage } from './call-messages.ts';
import type { CallObserver, CallRecord } from './call-record.ts';

/** Of a GET or DELETE, and of a body that was not read. */
const NO_MESSAGE = { method: undefined, name: undefined, uri: undefined };

/**
 * Hands each call of a known caller to the audit. Each message of a batch is an event; the bytes are with the first
 * one.
 */
export function createCallAudit(writer: Pick<AuditWriter, 'add'>): CallObserver {
  return {
    needsMessages: true,
    ended(record) {
      const { caller, messages } = record;
      if (caller === undefined) return;
      const { organizationId } = caller;
      if (messages.length === 0)
        writer.add(organizationId, eventOf(record, caller, NO_MESSAGE, true));
      for (const [index, message] of messages.entries()) {
        writer.add(organizationId, eventOf(record, caller, message, index === 0));
      }
    },
  };
}

function eventOf(
  record: CallRecord,
  caller: Caller,
  { method, name, uri }: CallMessage | typeof NO_MESSAGE,
  isFirst: boolean,
): CallInput {
  const { applicationId = null, integrationId = null, sessionId = null, address = null } = record;
  return {
    at: record.endedAt,
    action: 'call',
    actor: actorOf(caller),
    target: { kind: 'integration', id: integrationId, name: null },
    outcome: record.outcome,
    requestId: record.requestId,
    address,
    details: {
      applicationId,
      integrationId,
      userId: caller.kind === 'person' ? caller.userId : null,
      sessionId,
      httpMethod: record.method,
      method: method ?? null,
      name: name ?? null,
      uri: uri ?? null,
      credential: record.credentialSource ?? null,
      status: record.status,
      reasons: [...record.reasons],
      ms: record.ms,
      bytesIn: isFirst ? record.bytesIn : 0,
      bytesOut: isFirst ? record.bytesOut : 0,
    },
  };
}

/** Names are filled in when the event is written. */
function actorOf(caller: Caller): CallInput['actor'] {
  if (caller.kind === 'application') {
    const via = { kind: caller.via.kind, id: null };
    return { kind: 'application', id: caller.applicationId, name: null, via };
  }
  const { userId, via } = caller;
  return { kind: 'person', id: userId, name: null, via: { kind: via.kind, id: via.id } };
}
