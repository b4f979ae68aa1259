import { limits } from '../shared/limits.ts';

export const usageSteps = ['minute', 'hour', 'day'] as const;
export const usageGroupings = ['application', 'integration', 'tool', 'person', 'outcome'] as const;
export const usageOutcomes = ['ok', 'refused', 'error', 'upstream_error'] as const;

export type UsageStep = (typeof usageSteps)[number];
export type UsageGrouping = (typeof usageGroupings)[number];
export type UsageOutcome = (typeof usageOutcomes)[number];

const MINUTE = 60_000;

/** Milliseconds. A day is one of UTC. */
const LENGTHS: Readonly<Record<UsageStep, number>> = {
  minute: MINUTE,
  hour: 60 * MINUTE,
  day: 24 * 60 * MINUTE,
};

/** The hours for which the shorter steps are kept, unless usage is kept for less. */
export const usageKeptHours = { minute: 48, hour: 35 * 24 } as const;

/** When the step begins that contains an instant. Both are in epoch milliseconds. */
export function usageStepOf(step: UsageStep, time: number): number {
  return time - (time % LENGTHS[step]);
}

/** The beginnings of the steps from the one that contains `from` to the last that begins before `to`. */
export function usageStepsBetween(step: UsageStep, from: number, to: number): number[] {
  const first = usageStepOf(step, from);
  return Array.from({ length: countOf(step, from, to) }, (_, n) => first + n * LENGTHS[step]);
}

/** The ids of a parameter that takes several. */
export function usageIdsOf(text: string): readonly string[] {
  return text.toLowerCase().split(',');
}

/** The most series of a response by the points of a series. */
export function usageSeriesFor(points: number): number {
  return Math.min(limits.usageSeries, Math.floor(limits.usagePointsInAll / points));
}

/** What a query asks for beside a span of time. */
export interface UsageAsked {
  readonly step: UsageStep;
  readonly groupBy?: UsageGrouping | undefined;
  /** In epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** Why a query is refused, and the parameter at fault; undefined if it is not. */
export function usageFault({ step, groupBy, from, to }: UsageAsked) {
  if (from >= to) return { parameter: 'to', message: 'Must be after from.' } as const;
  if (countOf(step, from, to) > limits.usagePoints) {
    const message = `With this step, the span has more than ${limits.usagePoints} points.`;
    return { parameter: 'step', message } as const;
  }
  if (step === 'minute' && (groupBy === 'tool' || groupBy === 'person')) {
    return { parameter: 'groupBy', message: 'Minutes are not kept by tool or person.' } as const;
  }
  return undefined;
}

function countOf(step: UsageStep, from: number, to: number): number {
  return Math.max(0, Math.ceil((to - usageStepOf(step, from)) / LENGTHS[step]));
}
