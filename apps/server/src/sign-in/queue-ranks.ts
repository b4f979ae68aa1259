import { LRUCache } from 'lru-cache';
import { addressBlockOf, networkOf } from '../http/client-address.ts';
import { atMost } from '../platform/at-most.ts';

const HOUR = 60 * 60_000;

/** About 150 bytes each. The key that was not used for the longest time is forgotten first. */
const MAX_KEYS = 20_000;

/**
 * The order in which passwords are compared when many wait: the address and network with the fewest in the
 * last hour that were wrong come first. So a person who seldom tries waits for no flood, and the addresses of a
 * flood take turns.
 */
export class QueueRanks {
  readonly #counts = new LRUCache<string, number>({
    ...atMost(MAX_KEYS),
    ttl: HOUR,
    noUpdateTTL: true,
  });

  /** Counts an attempt. @returns its rank, from 1: known browsers, with 0, go before it */
  take(address: string): number {
    return 1 + this.#add(addressBlockOf(address), 1) + this.#add(networkOf(address), 1);
  }

  /** The password was right, or was not compared. */
  giveBack(address: string): void {
    this.#add(addressBlockOf(address), -1);
    this.#add(networkOf(address), -1);
  }

  /** @returns how many there were before */
  #add(key: string, change: number): number {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, Math.max(0, count + change));
    return count;
  }
}
