import type { Change, Changes } from './changes.ts';

/** A loaded value, the rows it was read from, and when it stops being true by itself. */
export interface Loaded<V> {
  readonly value: V;
  readonly dependsOn: readonly Change[];
  /** Epoch milliseconds; checked at use. */
  readonly expiresAt?: number;
}

/**
 * A cache whose entries leave when a row they were read from changes, on whichever node. Loads are
 * single-flight per key; a load that began before one of its rows changed is not kept. While
 * `changes.isFresh()` is false nothing is answered from memory: every `get` loads.
 */
export interface Cache<V> {
  /** The entry, if it is held and may be used now. Synchronous: the gateway's steady state. */
  peek(key: string): V | undefined;
  get(key: string, load: () => Promise<Loaded<V>>): Promise<V>;
  close(): void;
}

export interface CacheOptions {
  readonly changes: Changes;
  /** Entries kept at most; the least recently used leave first. */
  readonly maxEntries: number;
}
