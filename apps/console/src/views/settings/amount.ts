import type { InstallationLimit } from '@gatehouse/sdk';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const;

/** `24 hours` and not `1 day`: the largest unit of which there are several, or else the one that it is. */
function durationText(milliseconds: number): string {
  const whole = UNITS.filter(([, size]) => milliseconds % size === 0);
  const [unit, size] =
    whole.find(([, each]) => milliseconds / each > 1) ?? whole[0] ?? (['millisecond', 1] as const);
  const count = milliseconds / size;
  return `${count.toLocaleString('en')} ${count === 1 ? unit : `${unit}s`}`;
}

/** The value of a limit with its unit. */
export function amountOf({ value, unit }: InstallationLimit): string {
  if (unit === 'milliseconds') return durationText(value);
  if (unit !== 'requests_per_minute') return `${value.toLocaleString('en')} ${unit}`;
  return value === 0 ? 'No limit' : `${value.toLocaleString('en')} a minute`;
}
