import { latencyBucketOf, latencyBuckets, type UsageOutcome } from '@gatehouse/contract';

/** A call that has ended, as far as it is counted. */
export interface UsedCall {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly integrationId: string;
  /** The person; for client credentials, the application. */
  readonly subjectId: string;
  /** For each of its messages, the tool that it calls, or ''. */
  readonly tools: readonly string[];
  readonly outcome: UsageOutcome;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  readonly ms: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export interface Counts {
  calls: number;
  refusals: number;
  errors: number;
  upstreamErrors: number;
  bytesIn: number;
  bytesOut: number;
  /** How many calls took how long, by the bounds in the contract. */
  readonly latency: number[];
  /** Epoch milliseconds. */
  lastErrorAt: number | null;
}

export function noCounts(): Counts {
  return {
    calls: 0,
    refusals: 0,
    errors: 0,
    upstreamErrors: 0,
    bytesIn: 0,
    bytesOut: 0,
    latency: new Array<number>(latencyBuckets).fill(0),
    lastErrorAt: null,
  };
}

/** Counts one message of a call. @param isFirst bytes and latency, which a call has once, are counted with it */
export function countCall(counts: Counts, call: UsedCall, isFirst: boolean): void {
  const { outcome, endedAt } = call;
  counts.calls += 1;
  if (outcome === 'refused') counts.refusals += 1;
  else if (outcome === 'error') counts.errors += 1;
  else if (outcome === 'upstream_error') counts.upstreamErrors += 1;
  if (outcome === 'error' || outcome === 'upstream_error') {
    counts.lastErrorAt = Math.max(counts.lastErrorAt ?? 0, endedAt);
  }
  if (!isFirst) return;
  counts.bytesIn += call.bytesIn;
  counts.bytesOut += call.bytesOut;
  const bucket = latencyBucketOf(call.ms);
  counts.latency[bucket] = (counts.latency[bucket] ?? 0) + 1;
}

export function addCounts(counts: Counts, more: Counts): void {
  counts.calls += more.calls;
  counts.refusals += more.refusals;
  counts.errors += more.errors;
  counts.upstreamErrors += more.upstreamErrors;
  counts.bytesIn += more.bytesIn;
  counts.bytesOut += more.bytesOut;
  for (const [bucket, count] of more.latency.entries()) {
    counts.latency[bucket] = (counts.latency[bucket] ?? 0) + count;
  }
  if (more.lastErrorAt !== null) {
    counts.lastErrorAt = Math.max(counts.lastErrorAt ?? 0, more.lastErrorAt);
  }
}
