import {
  latencyBucketOf,
  latencyBuckets,
  latencyPercentile,
  type UsageGrouping,
  type UsageTotal,
} from '@gatehouse/contract';
import type { UsedCallsRow } from '../state/rows.ts';

/** What calls count as in a series. Without a grouping all of them have one key. */
export function usageKeyOf(row: UsedCallsRow, groupBy: UsageGrouping | undefined): string | null {
  switch (groupBy) {
    case 'application':
      return row.applicationId;
    case 'integration':
      return row.integrationId;
    case 'tool':
      return row.tool;
    case 'person':
      return row.userId;
    case 'outcome':
      return row.outcome;
    case undefined:
      return null;
  }
}

/** What calls are together. */
export function usageTotalOf(rows: readonly UsedCallsRow[]): UsageTotal {
  const countOf = (outcome: UsedCallsRow['outcome']) =>
    sumOf(rows.filter((row) => row.outcome === outcome).map(({ count }) => count));
  const latency = Array.from({ length: latencyBuckets }, (_, bucket) =>
    sumOf(rows.filter(({ ms }) => latencyBucketOf(ms) === bucket).map(({ count }) => count)),
  );
  const failed = rows.filter(({ outcome }) => outcome === 'error' || outcome === 'upstream_error');
  return {
    calls: sumOf(rows.map(({ count }) => count)),
    refusals: countOf('refused'),
    errors: countOf('error'),
    upstreamErrors: countOf('upstream_error'),
    bytesIn: sumOf(rows.map(({ count, bytesIn }) => count * bytesIn)),
    bytesOut: sumOf(rows.map(({ count, bytesOut }) => count * bytesOut)),
    p50: latencyPercentile(latency, 0.5),
    p95: latencyPercentile(latency, 0.95),
    p99: latencyPercentile(latency, 0.99),
    lastErrorAt:
      failed
        .map((row) => row.at)
        .sort()
        .at(-1) ?? null,
  };
}

/** What is not kept by outcome. */
export const notKeptByOutcome = {
  bytesIn: 0,
  bytesOut: 0,
  p50: null,
  p95: null,
  p99: null,
  lastErrorAt: null,
};

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
