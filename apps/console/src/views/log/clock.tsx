const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** The time to the second, in the person's time zone, and the day if it is another one. */
export function clockOf(at: string, now = new Date()): string {
  const date = new Date(at);
  const isToday = date.toDateString() === now.toDateString();
  return isToday ? time.format(date) : `${day.format(date)}, ${time.format(date)}`;
}

/** The day is on its own line where there is little room. */
export function Clock({ at }: { at: string }) {
  const [clock = '', date] = clockOf(at).split(', ').reverse();
  return (
    <time dateTime={at} title={exactTimeOf(at)}>
      {date !== undefined && <span className="whitespace-nowrap">{date}, </span>}
      <span className="whitespace-nowrap">{clock}</span>
    </time>
  );
}

export const exactTimeOf = (at: string) => exact.format(new Date(at));
