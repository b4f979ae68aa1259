import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/at-most.ts';

/** How long connections may rest between two requests, by origin. */
export interface RestLimits {
  /** Milliseconds. */
  of(origin: string): number;
  /**
   * The upstream closed a connection that had been idle for this many milliseconds.
   *
   * @returns whether this has shortened the limit.
   */
  noteClosed(origin: string, restedFor: number): boolean;
}

const MAX_REST = 60_000;
/** What is closed sooner says nothing of the next time. */
const MIN_REST = 1_000;

/** Of what an upstream allows: a request must have arrived when its time is over. */
const SHARE = 0.8;

const MAX_ORIGINS = 10_000;
/** A limit that was learned is forgotten then: a restarting upstream closes its connections at any time. */
const REMEMBER = 600_000;

/**
 * Common servers (uvicorn) close a connection after a few seconds of rest without having said so. A
 * POST that meets this moment is lost and cannot be repeated. So what one connection met counts for the
 * next ones to the same origin.
 */
export function createRestLimits(): RestLimits {
  const learned = new LRUCache<string, number>({ ...atMost(MAX_ORIGINS), ttl: REMEMBER });
  return {
    of: (origin) => learned.get(origin) ?? MAX_REST,
    noteClosed(origin, restedFor) {
      const limit = Math.floor(restedFor * SHARE);
      if (limit < MIN_REST || limit >= (learned.get(origin) ?? MAX_REST)) return false;
      learned.set(origin, limit);
      return true;
    },
  };
}
