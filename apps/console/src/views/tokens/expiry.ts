const DAY = 24 * 60 * 60 * 1000;

/** How long a token may live, as people choose it. */
export const lifetimeLabels = {
  '30': '30 days',
  '90': '90 days',
  '365': 'A year',
  day: 'Until a date',
  never: 'Until it is revoked',
} as const;

export type Lifetime = keyof typeof lifetimeLabels;

/** The last day that can be chosen, since the API takes years of four digits. */
export const LAST_DAY = '9999-12-30';

/** The next day in the person's time zone, as an input of dates has it. */
export function tomorrow(now: number): string {
  const date = new Date(now + DAY);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** When a token ends; null for never. The end of `day` in the person's time zone, undefined where it is no day. */
export function expiryOf(lifetime: Lifetime, day: string, now: number): string | null | undefined {
  if (lifetime === 'never') return null;
  if (lifetime !== 'day') return new Date(now + Number(lifetime) * DAY).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** Whether a token has stopped working by itself. */
export function isExpired(expiresAt: string | null, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
