import { LRUCache } from 'lru-cache';
import type { Loaded } from './cache.ts';
import { rowKey } from './changes.ts';

/** Cache entries by key, least recently used evicted first, indexed by the rows they depend on. */
export class EntryTable<V> {
  readonly #entries: LRUCache<string, Loaded<V>>;
  readonly #keysByRow = new Map<string, Set<string>>();

  constructor(maxEntries: number) {
    this.#entries = new LRUCache({
      max: maxEntries,
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
