import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/at-most.ts';
import { type Counter, type Limit, MINUTE, type Taking } from './counter.ts';
import type { LimitStore } from './limit-store.ts';

/** The key that was not used for the longest time is forgotten first; what it had left is lost. */
const MAX_KEYS = 20_000;

/** The parts in which a node takes a limit at most. So it makes at most one statement more in a minute. */
const PARTS = 20;

/** What this node has taken of one key's limit. Times are by the clock of `performance`. */
interface Reserve {
  readonly limit: number;
  /** By the database's clock. */
  minute: number;
  left: number;
  /** From then on nothing is left: the earliest that the minute can end. */
  until: number;
  /** Until then the database has nothing more: the latest that the minute can end. */
  spentUntil: number;
  /** Concurrent requests share a statement. */
  asking: Promise<void> | undefined;
}

/** Counts the requests of each minute of the database's clock, together with other nodes. */
export class SharedBudgets implements Counter {
  readonly #store: Pick<LimitStore, 'takeBudget'>;
  readonly #reserves = new LRUCache<string, Reserve>(atMost(MAX_KEYS));

  constructor(store: Pick<LimitStore, 'takeBudget'>) {
    this.#store = store;
  }

  take({ key, limit }: Limit, count: number): Taking {
    if (count > limit) return MINUTE;
    const now = performance.now();
    const reserve = this.#reserveOf(key, limit);
    if (reserve.until <= now) reserve.left = 0;
    if (reserve.left >= count) {
      reserve.left -= count;
      return 0;
    }
    if (now < reserve.spentUntil) return reserve.spentUntil - now;
    return () => this.#ask(key, reserve, count);
  }

  giveBack(key: string, count: number): void {
    const reserve = this.#reserves.peek(key);
    if (reserve !== undefined) reserve.left += count;
  }

  /** Another limit begins with nothing, and finds in the database what was used of the one before. */
  #reserveOf(key: string, limit: number): Reserve {
    const known = this.#reserves.get(key);
    if (known?.limit === limit) return known;
    const reserve = { limit, minute: 0, left: 0, until: 0, spentUntil: 0, asking: undefined };
    this.#reserves.set(key, reserve);
    return reserve;
  }

  #ask(key: string, reserve: Reserve, count: number): Promise<void> {
    reserve.asking ??= this.#takeMore(key, reserve, count).finally(() => {
      reserve.asking = undefined;
    });
    return reserve.asking;
  }

  async #takeMore(key: string, reserve: Reserve, count: number): Promise<void> {
    const { limit } = reserve;
    const wanted = Math.max(Math.ceil(limit / PARTS), count - reserve.left);
    const askedAt = performance.now();
    const { minute, taken, isSpent, endsIn } = await this.#store.takeBudget({ key, limit }, wanted);
    if (minute !== reserve.minute) reserve.left = 0;
    reserve.minute = minute;
    reserve.left += taken;
    reserve.until = askedAt + endsIn;
    reserve.spentUntil = isSpent ? performance.now() + endsIn : 0;
  }
}
