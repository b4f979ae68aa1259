import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.ts';

const WINDOW = 60_000;

/** About 150 bytes each. The key that was not used for the longest time is forgotten first. */
const MAX_KEYS = 20_000;

interface Window {
  count: number;
  /** By `Date.now()`. */
  readonly endsAt: number;
}

/** How often each key may do something in a minute, on this node. */
export class MinuteBudget {
  readonly #perMinute: number;
  readonly #windows = new LRUCache<string, Window>(atMost(MAX_KEYS));

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Uses one up. @returns 0, or the milliseconds to wait where nothing is left */
  take(key: string): number {
    const now = Date.now();
    const known = this.#windows.get(key);
    if (known === undefined || known.endsAt <= now) {
      this.#windows.set(key, { count: 1, endsAt: now + WINDOW });
      return 0;
    }
    if (known.count >= this.#perMinute) return known.endsAt - now;
    known.count += 1;
    return 0;
  }

  /** Gives one back that was taken in vain. */
  giveBack(key: string): void {
    const known = this.#windows.peek(key);
    if (known !== undefined && known.count > 0) known.count -= 1;
  }
}
