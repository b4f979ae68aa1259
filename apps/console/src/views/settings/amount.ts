import type { InstallationLimit } from '@gatehouse/sdk';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** In the largest unit that it is a whole number of; a single day is `24 hours`. */
function durationText(milliseconds: number): string {
  const [unit, size] = UNITS.find(
    ([name, each]) => milliseconds % each === 0 && (name !== 'day' || milliseconds > each),
  ) ?? ['millisecond', 1];
  const count = milliseconds / size;
  return `${count.toLocaleString('en')} ${count === 1 ? unit : `${unit}s`}`;
}

/** The value of a limit with its unit. */
export function amountOf({ value, unit }: InstallationLimit): string {
  if (unit === 'milliseconds') return durationText(value);
  if (unit !== 'requests_per_minute') return `${value.toLocaleString('en')} ${unit}`;
  return value === 0 ? 'No limit' : `${value.toLocaleString('en')} a minute`;
}
