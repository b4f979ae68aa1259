import {
  latencyPercentile,
  type UsageOutcome,
  type UsagePoint,
  type UsageQuery,
  type UsageResponse,
  type UsageSeries,
  usageOutcomes,
  usageStepsBetween,
} from '@gatehouse/contract';
import type { UsageRow } from '../../usage/read-usage.ts';

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
  return { key, points: steps.map((at) => pointOf(at, byStep.get(at))) };
}

function pointOf(at: number, row: UsageRow | undefined): UsagePoint {
  const latency = row?.latency ?? [];
  return {
    at: new Date(at).toISOString(),
    calls: row?.calls ?? 0,
    refusals: row?.refusals ?? 0,
    errors: row?.errors ?? 0,
    upstreamErrors: row?.upstreamErrors ?? 0,
    bytesIn: row?.bytesIn ?? 0,
    bytesOut: row?.bytesOut ?? 0,
    p50: latencyPercentile(latency, 0.5),
    p95: latencyPercentile(latency, 0.95),
    p99: latencyPercentile(latency, 0.99),
    lastErrorAt: row?.lastErrorAt?.toISOString() ?? null,
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
