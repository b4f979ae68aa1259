const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CLOCKS_DIFFER = 10_000;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const sameYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const otherYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** `2 minutes ago`, `in 3 hours`, `yesterday`; beyond a week the date. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now;
  const size = Math.abs(distance);
  // Clocks differ: what the service has just done may lie a little ahead.
  if (size < MINUTE) return distance > CLOCKS_DIFFER ? 'in a moment' : 'just now';
  if (size < HOUR) return words.format(Math.trunc(distance / MINUTE), 'minute');
  if (size < DAY) return words.format(Math.trunc(distance / HOUR), 'hour');
  if (size < 7 * DAY) return words.format(Math.trunc(distance / DAY), 'day');
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? sameYear : otherYear).format(date);
}
