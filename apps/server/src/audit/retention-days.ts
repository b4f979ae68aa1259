/** Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds that a block keeps its call events. */
export const CALLS_KEPT = 90 * DAY;

/** Milliseconds that management events are kept. */
export const EVENTS_KEPT = 365 * DAY;
