import { LRUCache } from 'lru-cache';

/** Attempts without any delay. */
const FREE = 10;

/** Milliseconds: the first delay, which doubles with every attempt, and the longest. */
const FIRST = 1_000;
const LONGEST = 60_000;

/** Milliseconds without an attempt after which all is forgotten. */
const REMEMBERED = 24 * 60 * 60 * 1000;

/** About 200 bytes each. Those that were tried least recently are forgotten first. */
const MAX_KEYS = 20_000;

interface Attempts {
  readonly count: number;
  /** By `performance.now()`. */
  readonly nextAt: number;
}

/**
 * Slows guessing down: ten attempts at once, then one after 1 s, 2 s, 4 s and so on up to a minute. Nobody
 * is ever locked out for longer.
 */
export class AttemptDelays {
  readonly #attempts = new LRUCache<string, Attempts>({ max: MAX_KEYS, ttl: REMEMBERED });

  /** Counts an attempt, unless it comes too early. @returns the milliseconds to wait; 0 to go on */
  attempt(key: string): number {
    const now = performance.now();
    const { count, nextAt } = this.#attempts.get(key) ?? { count: 0, nextAt: now };
    if (nextAt > now) return nextAt - now;
    const over = count + 1 - FREE;
    const delay = over < 0 ? 0 : Math.min(LONGEST, FIRST * 2 ** over);
    this.#attempts.set(key, { count: count + 1, nextAt: now + delay });
    return 0;
  }

  /** The right password was given. */
  forget(key: string): void {
    this.#attempts.delete(key);
  }
}
