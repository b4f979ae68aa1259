import { type UsageStep, usageKeptHours } from '@gatehouse/contract';
import type { SpanName } from './labels.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const LENGTHS: Readonly<Record<SpanName, number>> = {
  hour: HOUR,
  day: 24 * HOUR,
  week: 7 * 24 * HOUR,
  month: 30 * 24 * HOUR,
};

/** More points than this are no picture any more. */
const MOST_POINTS = 200;

/** A span up to now, or one between two times. */
export interface SpanAsked {
  readonly span?: SpanName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** In epoch milliseconds, with the step that its points have. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly step: UsageStep;
}

/** Whether both times are given, in their order. */
export function isBetween({ from, to }: SpanAsked): boolean {
  return from !== undefined && to !== undefined && Date.parse(from) < Date.parse(to);
}

function timesOf(asked: SpanAsked, now: number): readonly [from: number, to: number] {
  const { span = 'day', from = '', to = '' } = asked;
  return isBetween(asked) ? [Date.parse(from), Date.parse(to)] : [now - LENGTHS[span], now];
}

/**
 * The times that are asked for, in the shortest steps that are kept of them and that a picture can show.
 *
 * @param hasMinutes whether what is asked for is kept by minute at all
 */
export function spanOf(asked: SpanAsked, hasMinutes: boolean, now: number): Span {
  const [from, to] = timesOf(asked, now);
  const fits = (step: keyof typeof usageKeptHours, length: number) =>
    now - from <= usageKeptHours[step] * HOUR && to - from <= MOST_POINTS * length;
  if (hasMinutes && fits('minute', MINUTE)) return { from, to, step: 'minute' };
  return { from, to, step: fits('hour', HOUR) ? 'hour' : 'day' };
}
