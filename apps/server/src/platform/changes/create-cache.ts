import { LRUCache } from 'lru-cache';
import { atMost } from '../at-most.ts';
import { type Change, type Changes, rowKey } from './changes.ts';

/** Cache entries by key, least recently used evicted first, indexed by the rows they depend on. */
class EntryTable<V> {
  readonly #entries: LRUCache<string, Loaded<V>>;
  readonly #keysByRow = new Map<string, Set<string>>();

  constructor(maxEntries: number) {
    this.#entries = new LRUCache({
      ...atMost(maxEntries),
      dispose: (entry, key) => this.#removeFromIndex(key, entry),
    });
  }

  /** The entry, which becomes the most recently used one. */
  use(key: string): Loaded<V> | undefined {
    return this.#entries.get(key);
  }

  set(key: string, entry: Loaded<V>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const change of entry.dependsOn) {
      const row = rowKey(change);
      const keys = this.#keysByRow.get(row);
      if (keys === undefined) this.#keysByRow.set(row, new Set([key]));
      else keys.add(key);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** @param row a {@link rowKey} */
  deleteDependents(row: string): void {
    for (const key of [...(this.#keysByRow.get(row) ?? [])]) this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #removeFromIndex(key: string, { dependsOn }: Loaded<V>): void {
    for (const change of dependsOn) {
      const row = rowKey(change);
      const keys = this.#keysByRow.get(row);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByRow.delete(row);
    }
  }
}

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

interface CacheOptions {
  readonly changes: Changes;
  /** The least recently used entries are evicted first. */
  readonly maxEntries: number;
}

/** A load in progress, and what has changed since it began. */
interface Load<V> {
  readonly loaded: Promise<Loaded<V>>;
  readonly changedRows: Set<string>;
  everythingChanged: boolean;
}

/** See {@link Cache} for the guarantees. */
export function createCache<V>({ changes, maxEntries }: CacheOptions): Cache<V> {
  const entries = new EntryTable<V>(maxEntries);
  const activeLoads = new Set<Load<V>>();
  const latestLoads = new Map<string, Load<V>>();

  const unsubscribe = changes.subscribe({
    drop: (changeSet) => {
      const rows = changeSet === 'everything' ? undefined : changeSet.map(rowKey);
      for (const load of activeLoads) recordChanges(load, rows);
      if (rows === undefined) entries.clear();
      else for (const row of rows) entries.deleteDependents(row);
    },
  });

  const peek = (key: string): V | undefined => {
    if (!changes.isFresh()) return undefined;
    const entry = entries.use(key);
    if (entry?.expiresAt === undefined || Date.now() < entry.expiresAt) return entry?.value;
    entries.delete(key);
    return undefined;
  };

  const startLoad = (key: string, read: () => Promise<Loaded<V>>): Load<V> => {
    const load: Load<V> = { loaded: read(), changedRows: new Set(), everythingChanged: false };
    activeLoads.add(load);
    latestLoads.set(key, load);
    const finish = (loaded?: Loaded<V>): void => {
      activeLoads.delete(load);
      if (latestLoads.get(key) === load) latestLoads.delete(key);
      if (loaded !== undefined && isUnchanged(load, loaded)) entries.set(key, loaded);
    };
    load.loaded.then(finish, () => finish());
    return load;
  };

  const get = async (key: string, read: () => Promise<Loaded<V>>): Promise<V> => {
    const cached = peek(key);
    if (cached !== undefined) return cached;
    const earlier = changes.isFresh() ? latestLoads.get(key) : undefined;
    if (earlier === undefined) return (await startLoad(key, read).loaded).value;
    const loaded = await earlier.loaded;
    // A load that began before this call may serve it only if nothing changed in between.
    if (isUnchanged(earlier, loaded) && changes.isFresh()) return loaded.value;
    // The earlier load is over, so a load that is running now began after this call.
    return (await (latestLoads.get(key) ?? startLoad(key, read)).loaded).value;
  };

  return {
    peek,
    get,
    close: () => {
      unsubscribe();
      entries.clear();
    },
  };
}

function recordChanges(load: Load<unknown>, rows: readonly string[] | undefined): void {
  if (rows === undefined) load.everythingChanged = true;
  else for (const row of rows) load.changedRows.add(row);
}

function isUnchanged<V>(load: Load<V>, { dependsOn }: Loaded<V>): boolean {
  return !load.everythingChanged && !dependsOn.some((row) => load.changedRows.has(rowKey(row)));
}
