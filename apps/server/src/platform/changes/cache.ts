import type { Change, Changes } from './changes.ts';

/** A loaded value, the rows it was read from, and when it expires. */
export interface Loaded<V> {
  readonly value: V;
  readonly dependsOn: readonly Change[];
  /** Epoch milliseconds; checked at every use. */
  readonly expiresAt?: number;
}

/**
 * A cache that drops an entry when a row it was read from changes, on any node. Loads are
 * single-flight per key. A load that began before one of its rows changed is not cached. While
 * `changes.isFresh()` is false the cache is bypassed: every `get` loads.
 */
export interface Cache<V> {
  /** The cached value, if it may be used now. Synchronous, for the gateway's steady state. */
  peek(key: string): V | undefined;
  get(key: string, load: () => Promise<Loaded<V>>): Promise<V>;
  close(): void;
}

export interface CacheOptions {
  readonly changes: Changes;
  /** The least recently used entries are evicted first. */
  readonly maxEntries: number;
}
