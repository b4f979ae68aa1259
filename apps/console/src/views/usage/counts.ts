import type { UsageTotal } from '@gatehouse/sdk';
import type { Bar } from '../../components/bars.tsx';
import { callsText, durationText } from './labels.ts';

const figures = new Intl.NumberFormat('en');

/** Those calls that were refused or failed. */
function badOf({ refusals, errors, upstreamErrors }: UsageTotal): number {
  return refusals + errors + upstreamErrors;
}

export function barsOf(points: readonly UsageTotal[]): Bar[] {
  return points.map((point) => ({ all: point.calls, bad: badOf(point) }));
}

/** `3 refused, 1 failed in Gatehouse, 2 failed upstream`; empty where all were answered. */
export function badText({ refusals, errors, upstreamErrors }: UsageTotal): string {
  const bad = [
    [refusals, 'refused'],
    [errors, 'failed in Gatehouse'],
    [upstreamErrors, 'failed upstream'],
  ] as const;
  return bad
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${figures.format(count)} ${what}`)
    .join(', ');
}

/** The same after the number of all calls. */
export function countsText(total: UsageTotal): string {
  const bad = badText(total);
  return bad === '' ? callsText(total.calls) : `${callsText(total.calls)}: ${bad}`;
}

/** `Median 41 ms, p95 480 ms, p99 1.2 s`. */
export function durationsText({ p50, p95, p99 }: UsageTotal): string {
  if (p50 === null) return 'No calls';
  return `Median ${durationText(p50)}, p95 ${durationText(p95)}, p99 ${durationText(p99)}`;
}
