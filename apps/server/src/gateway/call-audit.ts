import type { CallInput } from '../audit/encode-calls.ts';
import { BEGUN } from '../audit/event.ts';
import type { AuditWriter } from '../audit/writing/audit-writer.ts';
import type { BegunCall } from '../audit/writing/prepare-calls.ts';
import type { Caller } from '../identity/caller.ts';
import { databaseUnavailable } from '../platform/database/database-failure.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { CallMessage } from './call-messages.ts';
import type { CallObserver, CallRecord } from './call-record.ts';

/** Of a GET or DELETE, and of a body that was not read. */
const NO_MESSAGE = { method: undefined, name: undefined, uri: undefined };

/** What takes in the events of calls. */
export interface CallSink {
  add(organizationId: string, event: CallInput, ends?: BegunCall): void;
}

/**
 * Hands each call of a known caller to the audit, once: when it has ended, or when it was answered on a stream that goes
 * on. Each message of a batch is an event; the bytes are with the first one.
 */
export function createCallAudit(sink: CallSink): CallObserver {
  const add = (record: CallRecord): void => {
    const { caller, begun } = record;
    if (caller === undefined) return;
    for (const [index, event] of eventsOf(record, caller).entries()) {
      sink.add(caller.organizationId, event, begun?.[index]);
    }
  };
  return {
    needsMessages: true,
    answered: add,
    ended(record) {
      if (record.wasAnswered !== true) add(record);
    },
  };
}

/** The beginning of a call in the audit. */
export interface Beginning {
  /** Of each of its messages. */
  readonly begun: readonly BegunCall[];
  /** Rejects with ProblemError `overloaded`, `database_unavailable`. */
  readonly stored: Promise<void>;
}

/** Stores that a call begins, before it goes upstream. */
export type BeginCall = (record: CallRecord, caller: Caller) => Beginning;

export function createBeginCall(writer: Pick<AuditWriter, 'begin'>): BeginCall {
  return (record, caller) => {
    const events = eventsOf({ ...record, status: 0, ms: 0 }, caller);
    const beginnings = events.map((event) => ({ ...event, outcome: BEGUN }));
    const { begun, stored } = writer.begin(caller.organizationId, beginnings);
    return { begun, stored: stored.catch(refuse) };
  };
}

function refuse(error: unknown): never {
  throw error instanceof ProblemError ? error : databaseUnavailable(error);
}

function eventsOf(record: CallRecord, caller: Caller): CallInput[] {
  const { messages } = record;
  if (messages.length === 0) return [eventOf(record, caller, NO_MESSAGE, true)];
  return messages.map((message, index) => eventOf(record, caller, message, index === 0));
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
