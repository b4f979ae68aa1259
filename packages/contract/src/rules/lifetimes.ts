const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How long things last, in milliseconds. */
export const lifetimes = {
  /** Until an invitation expires, as a token and as a link. */
  invitation: 7 * DAY,
  /** Until a link to choose another password expires. */
  resetLink: HOUR,
  /** Until a link to connect by OAuth expires. */
  connectLink: 10 * 60 * 1000,
  /** How long a request is replayed for its idempotency key. */
  idempotencyKey: DAY,
} as const;
