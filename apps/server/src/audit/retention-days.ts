import { smallestIdAt } from '../platform/ids.ts';

/** Milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/** For how many days the audit keeps its events. */
export interface AuditDays {
  /** Call events, in their blocks. */
  readonly calls: number;
  /** Management events. */
  readonly changes: number;
}

/** How far retention goes. */
export interface RetentionReach {
  /** Blocks with a smaller id lose their call events. */
  readonly calls: string;
  /** Management events with a smaller id are deleted. */
  readonly changes: string;
}

/** @param later milliseconds from now */
export function reachOf({ calls, changes }: AuditDays, later = 0): RetentionReach {
  const idBefore = (days: number) => smallestIdAt(Date.now() + later - days * DAY);
  return { calls: idBefore(calls), changes: idBefore(changes) };
}
