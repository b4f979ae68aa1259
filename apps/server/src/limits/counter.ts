import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/at-most.ts';

/** The limit of one key. */
export interface Limit {
  readonly key: string;
  readonly limit: number;
}

/**
 * 0 if all was taken. Otherwise nothing was: the milliseconds to wait, or, where other nodes may have left something,
 * what asks for it. It rejects like `Store.statement`, and with ProblemError `overloaded`.
 */
export type Taking = number | (() => Promise<void>);

/** Counts requests under keys. Whatever is in memory takes no waiting. */
export interface Counter {
  take(limit: Limit, count: number): Taking;
  /** Gives back what was taken. */
  giveBack(key: string, count: number): void;
}

/** Milliseconds. */
export const MINUTE = 60_000;

/** Milliseconds after which it is worth asking for a slot again. */
export const SLOT_PAUSE = 1_000;

/** Counts of limits a minute. The key that was not used for the longest time is forgotten first. */
const MAX_KEYS = 20_000;

interface Budget {
  /** Since the epoch. */
  readonly minute: number;
  used: number;
}

/** Counts the requests of each minute, where this process is the only one. */
export class LocalBudgets implements Counter {
  readonly #budgets = new LRUCache<string, Budget>(atMost(MAX_KEYS));

  take({ key, limit }: Limit, count: number): number {
    const now = Date.now();
    const minute = Math.floor(now / MINUTE);
    const known = this.#budgets.get(key);
    const budget = known?.minute === minute ? known : { minute, used: 0 };
    if (budget.used + count > limit) return (minute + 1) * MINUTE - now;
    budget.used += count;
    if (budget !== known) this.#budgets.set(key, budget);
    return 0;
  }

  giveBack(key: string, count: number): void {
    const known = this.#budgets.peek(key);
    if (known !== undefined) known.used = Math.max(0, known.used - count);
  }
}

/** Counts the requests in progress, where this process is the only one. It has a key for each call in progress at most. */
export class LocalSlots implements Counter {
  readonly #used = new Map<string, number>();

  take({ key, limit }: Limit, count: number): number {
    const used = (this.#used.get(key) ?? 0) + count;
    if (used > limit) return SLOT_PAUSE;
    this.#used.set(key, used);
    return 0;
  }

  giveBack(key: string, count: number): void {
    const used = (this.#used.get(key) ?? 0) - count;
    if (used > 0) this.#used.set(key, used);
    else this.#used.delete(key);
  }
}
