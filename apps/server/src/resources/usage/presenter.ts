import {
  latencyPercentile,
  type UsageOutcome,
  type UsageQuery,
  type UsageResponse,
  type UsageSeries,
  type UsageTotal,
  usageOutcomes,
  usageStepsBetween,
} from '@gatehouse/contract';
import type { UsageCounts, UsageRow } from '../../usage/read-usage.ts';

type Query = Pick<UsageQuery, 'step' | 'from' | 'to' | 'groupBy'>;

/** @param rows of one series after another */
export function presentUsage(
  { step, from, to, groupBy }: Query,
  rows: readonly UsageRow[],
): UsageResponse {
  const steps = usageStepsBetween(step, Date.parse(from), Date.parse(to));
  if (groupBy === 'outcome') {
    return {
      series: usageOutcomes.map((outcome) => seriesOf(outcome, rows.map(only(outcome)), steps)),
    };
  }
  const byKey = new Map<string | null, UsageRow[]>(groupBy === undefined ? [[null, []]] : []);
  for (const row of rows) {
    const ofKey = byKey.get(row.key);
    if (ofKey === undefined) byKey.set(row.key, [row]);
    else ofKey.push(row);
  }
  return { series: [...byKey].map(([key, ofKey]) => seriesOf(key, ofKey, steps)) };
}

function seriesOf(
  key: string | null,
  rows: readonly UsageRow[],
  steps: readonly number[],
): UsageSeries {
  const byStep = new Map(rows.map((row) => [row.at.getTime(), row]));
  return {
    key,
    total: totalOf(rows.reduce(added, NO_CALLS)),
    points: steps.map((at) => ({
      at: new Date(at).toISOString(),
      ...totalOf(byStep.get(at) ?? NO_CALLS),
    })),
  };
}

const NO_CALLS: UsageCounts = {
  calls: 0,
  refusals: 0,
  errors: 0,
  upstreamErrors: 0,
  bytesIn: 0,
  bytesOut: 0,
  latency: [],
  lastErrorAt: null,
};

function added(one: UsageCounts, other: UsageCounts): UsageCounts {
  const lastErrors = [one, other].map(({ lastErrorAt }) => lastErrorAt?.getTime() ?? 0);
  const lastErrorAt = Math.max(...lastErrors);
  return {
    calls: one.calls + other.calls,
    refusals: one.refusals + other.refusals,
    errors: one.errors + other.errors,
    upstreamErrors: one.upstreamErrors + other.upstreamErrors,
    bytesIn: one.bytesIn + other.bytesIn,
    bytesOut: one.bytesOut + other.bytesOut,
    latency: other.latency.map((count, bucket) => count + (one.latency[bucket] ?? 0)),
    lastErrorAt: lastErrorAt > 0 ? new Date(lastErrorAt) : null,
  };
}

function totalOf({ latency, lastErrorAt, ...counts }: UsageCounts): UsageTotal {
  return {
    calls: counts.calls,
    refusals: counts.refusals,
    errors: counts.errors,
    upstreamErrors: counts.upstreamErrors,
    bytesIn: counts.bytesIn,
    bytesOut: counts.bytesOut,
    p50: latencyPercentile(latency, 0.5),
    p95: latencyPercentile(latency, 0.95),
    p99: latencyPercentile(latency, 0.99),
    lastErrorAt: lastErrorAt?.toISOString() ?? null,
  };
}

/** Of a row only the calls that ended so: how long they took, and their bytes, are not kept apart. */
function only(outcome: UsageOutcome): (row: UsageRow) => UsageRow {
  return (row) => {
    const { key, at } = row;
    const [refusals, errors, upstreamErrors] = [
      outcome === 'refused' ? row.refusals : 0,
      outcome === 'error' ? row.errors : 0,
      outcome === 'upstream_error' ? row.upstreamErrors : 0,
    ];
    const failed = row.refusals + row.errors + row.upstreamErrors;
    const calls = outcome === 'ok' ? row.calls - failed : refusals + errors + upstreamErrors;
    const bytes = { bytesIn: 0, bytesOut: 0, latency: [] };
    return { ...{ key, at, calls, refusals, errors, upstreamErrors }, ...bytes, lastErrorAt: null };
  };
}
