import type { Pool } from 'undici';
import { EgressError } from './errors.ts';

interface Entry {
  readonly pool: Pool;
  isUsed: boolean;
}

/** Options of {@link createPools}. */
export interface PoolsOptions {
  readonly create: (origin: string) => Pool;
  readonly maxPools: number;
  /** Milliseconds without a request after which a pool is closed. May take up to twice as long. */
  readonly idleAfter: number;
}

/** A limited number of connection pools by origin, closed when idle. */
export interface Pools {
  get(origin: string): Pool;
  close(): Promise<void>;
}

/** Creates one pool per origin. In steady state `get` is one Map lookup. */
export function createPools(options: PoolsOptions): Pools {
  const entries = new Map<string, Entry>();
  const sweeper = setInterval(() => sweep(entries), options.idleAfter);
  sweeper.unref();

  function open(origin: string): Pool {
    if (entries.size >= options.maxPools && !closeOneIdle(entries)) {
      throw new EgressError('unreachable', 'too_many_origins');
    }
    const pool = options.create(origin);
    entries.set(origin, { pool, isUsed: true });
    return pool;
  }

  return {
    get(origin) {
      const entry = entries.get(origin);
      if (entry === undefined) return open(origin);
      entry.isUsed = true;
      return entry.pool;
    },
    async close() {
      clearInterval(sweeper);
      const pools = [...entries.values()].map(({ pool }) => pool);
      entries.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

function sweep(entries: Map<string, Entry>): void {
  for (const [origin, entry] of entries) {
    if (!entry.isUsed && isIdle(entry.pool)) closePool(entries, origin, entry.pool);
    entry.isUsed = false;
  }
}

function closeOneIdle(entries: Map<string, Entry>): boolean {
  for (const [origin, { pool }] of entries) {
    if (!isIdle(pool)) continue;
    closePool(entries, origin, pool);
    return true;
  }
  return false;
}

function isIdle(pool: Pool): boolean {
  return pool.stats.size === 0;
}

function closePool(entries: Map<string, Entry>, origin: string, pool: Pool): void {
  entries.delete(origin);
  // A graceful close: a request that got this pool in the same turn still succeeds.
  void pool.close().catch(() => undefined);
}
