import { smallestIdAt } from '../platform/ids.ts';

/** Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds that a block keeps its call events. */
const CALLS_KEPT = 90 * DAY;

/** Milliseconds that management events are kept. */
const EVENTS_KEPT = 365 * DAY;

/** Blocks with a smaller id lose their call events. @param later milliseconds from now */
export function callsDroppedBefore(later = 0): string {
  return smallestIdAt(Date.now() + later - CALLS_KEPT);
}

/** Management events with a smaller id are deleted. @param later milliseconds from now */
export function eventsDroppedBefore(later = 0): string {
  return smallestIdAt(Date.now() + later - EVENTS_KEPT);
}
