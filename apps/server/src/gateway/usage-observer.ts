import type { UsageOutcome } from '@gatehouse/contract';
import { subjectIdOf } from '../identity/caller.ts';
import type { UsedCall } from '../usage/counts.ts';
import type { UsageCounters } from '../usage/usage-counters.ts';
import type { CallMessage } from './call-messages.ts';
import type { CallObserver, CallOutcome, CallRecord } from './call-record.ts';

/**
 * Counts calls of a known caller, to an application and integration of its organization. Open-ended streams are no calls:
 * their length says nothing about a server.
 */
export function createUsageObserver(usage: Pick<UsageCounters, 'count'>): CallObserver {
  return {
    needsMessages: true,
    ended(record) {
      const call = usedCallOf(record);
      if (call !== undefined) usage.count(call);
    },
  };
}

function usedCallOf(record: CallRecord): UsedCall | undefined {
  const { caller, applicationId, integrationId, messages, isOpenEnded } = record;
  if (
    isOpenEnded ||
    caller === undefined ||
    applicationId === undefined ||
    integrationId === undefined
  ) {
    return undefined;
  }
  // Without spreads, which take longer than everything else that is done here.
  return {
    organizationId: caller.organizationId,
    applicationId,
    integrationId,
    subjectId: subjectIdOf(caller),
    tools: messages.length === 0 ? NO_TOOL : messages.map(toolOf),
    outcome: outcomeOf(record),
    endedAt: record.endedAt,
    ms: record.ms,
    bytesIn: record.bytesIn,
    bytesOut: record.bytesOut,
  };
}

/** Of GET and DELETE, and of a body that was not read. */
const NO_TOOL: readonly string[] = [''];

function toolOf({ method, name = '' }: CallMessage): string {
  return method === 'tools/call' ? name : '';
}

/** A call that has no status of ours, such as a stream that this node has ended, did not fail. */
const OUTCOMES: Readonly<Record<CallOutcome, UsageOutcome>> = {
  relayed: 'ok',
  refused: 'refused',
  policy: 'refused',
  limited: 'refused',
  credential: 'refused',
  connect: 'ok',
  upstream_failed: 'upstream_error',
  too_large: 'upstream_error',
  deadline: 'upstream_error',
  client_left: 'ok',
  cut: 'ok',
};

const REQUEST_TOO_LARGE = 413;

function outcomeOf({ outcome, status, reasons }: CallRecord): UsageOutcome {
  if (outcome === 'relayed' && status >= 500) return 'upstream_error';
  if (outcome === 'too_large' && status === REQUEST_TOO_LARGE) return 'refused';
  // The upstream was not tried, or the call was cut before its response.
  if (reasons.includes('overloaded') && status >= 500) return 'error';
  return outcome === 'refused' && status >= 500 ? 'error' : OUTCOMES[outcome];
}
