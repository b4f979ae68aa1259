import type { UsageOutcome, UsageStep } from '@gatehouse/contract';

/** What the table has a row for. */
export const rowLabels = {
  integration: 'Integrations',
  application: 'Applications',
  person: 'People',
  tool: 'Tools',
  outcome: 'Outcomes',
  time: 'Times',
} as const;

export type Rows = keyof typeof rowLabels;

export const outcomeLabels: Readonly<Record<UsageOutcome, string>> = {
  ok: 'Answered',
  refused: 'Refused',
  error: 'Failed in Gatehouse',
  upstream_error: 'Failed upstream',
};

export const spanLabels = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
} as const;

export type SpanName = keyof typeof spanLabels;

const times = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options);

const clock = times({ hour: '2-digit', minute: '2-digit' });
const day = times({ day: 'numeric', month: 'short' });
const moment = times({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const dayOfUtc = times({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const dateOfUtc = times({ dateStyle: 'long', timeZone: 'UTC' });

/**
 * When a step begins, in the time zone of the reader. Days are those of UTC, and say so: the service keeps no other ones.
 *
 * @param at RFC 3339
 */
export function stepLabel(step: UsageStep, at: string): string {
  const date = new Date(at);
  return step === 'day' ? `${dateOfUtc.format(date)}, UTC` : moment.format(date);
}

/** Beyond this, the axis has days and no hours. */
const CLOCK_UNTIL = 48 * 60 * 60_000;

/** The same in short. @param all how long all steps are, in milliseconds */
export function axisLabel(step: UsageStep, at: string, all: number): string {
  const date = new Date(at);
  if (step === 'day') return dayOfUtc.format(date);
  return (all <= CLOCK_UNTIL ? clock : day).format(date);
}

const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const seconds = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** How long calls took. @param milliseconds null without calls */
export function durationText(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  return milliseconds < 1_000
    ? `${figures.format(milliseconds)} ms`
    : `${seconds.format(milliseconds / 1_000)} s`;
}

/** `1 call` or `1,204 calls`. */
export function callsText(count: number): string {
  return `${figures.format(count)} ${count === 1 ? 'call' : 'calls'}`;
}
