import { LRUCache } from 'lru-cache';
import type { Pool } from 'undici';

interface Entry {
  readonly pool: Pool;
  readonly openedAt: number;
  isUsed: boolean;
}

/** Options of {@link createPools}. */
export interface PoolsOptions {
  readonly maxPools: number;
  /** Milliseconds without a request after which a pool is closed. May take up to twice as long. */
  readonly idleAfter: number;
  /** Milliseconds after which a pool gets no more requests. May take `idleAfter` longer. */
  readonly maxAge: number;
}

/** A limited number of connection pools by key. A pool that is closed completes the requests it has. */
export interface Pools {
  get(key: string): Pool | undefined;
  /** Makes room by closing the pool that was not used for the longest time. */
  add(key: string, pool: Pool): Pool;
  /** Closes the pool: the next request opens another one. */
  remove(key: string): void;
  /** Ends every request immediately. */
  close(): Promise<void>;
}

/** In steady state `get` is one look-up. */
export function createPools({ maxPools, idleAfter, maxAge }: PoolsOptions): Pools {
  const closing = new Set<Pool>();
  const entries = new LRUCache<string, Entry>({
    max: maxPools,
    dispose: ({ pool }) => {
      closing.add(pool);
      // A graceful close: a request that got this pool in the same turn still succeeds.
      void pool
        .close()
        .catch(() => undefined)
        .finally(() => closing.delete(pool));
    },
  });
  const sweeper = setInterval(() => sweep(entries, maxAge), idleAfter);
  sweeper.unref();

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry !== undefined) entry.isUsed = true;
      return entry?.pool;
    },
    add(key, pool) {
      entries.set(key, { pool, openedAt: Date.now(), isUsed: true });
      return pool;
    },
    remove: (key) => void entries.delete(key),
    async close() {
      clearInterval(sweeper);
      entries.clear();
      await Promise.all([...closing].map((pool) => pool.destroy()));
    },
  };
}

function sweep(entries: LRUCache<string, Entry>, maxAge: number): void {
  const oldest = Date.now() - maxAge;
  for (const [key, entry] of entries.entries()) {
    const isIdle = !entry.isUsed && entry.pool.stats.size === 0;
    if (isIdle || entry.openedAt < oldest) entries.delete(key);
    entry.isUsed = false;
  }
}
