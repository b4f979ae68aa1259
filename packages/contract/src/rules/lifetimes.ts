const DAY = 24 * 60 * 60 * 1000;

/** How long things last, in milliseconds. */
export const lifetimes = {
  /** Until an invitation expires. */
  invitation: 7 * DAY,
  /** How long a request is replayed for its idempotency key. */
  idempotencyKey: DAY,
} as const;
