import { LRUCache } from 'lru-cache';
import type { Loaded } from './cache.ts';
import { tagOf } from './changes.ts';

/** Entries by key, the least recently used of which leave first, with an index from the rows they depend on. */
export class EntryTable<V> {
  readonly #entries: LRUCache<string, Loaded<V>>;
  readonly #keysByTag = new Map<string, Set<string>>();

  constructor(maxEntries: number) {
    this.#entries = new LRUCache({
      max: maxEntries,
      dispose: (entry, key) => this.#untag(key, entry),
    });
  }

  /** The entry, which becomes the most recently used one. */
  use(key: string): Loaded<V> | undefined {
    return this.#entries.get(key);
  }

  set(key: string, entry: Loaded<V>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const row of entry.dependsOn) {
      const tag = tagOf(row);
      const keys = this.#keysByTag.get(tag);
      if (keys === undefined) this.#keysByTag.set(tag, new Set([key]));
      else keys.add(key);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  deleteTagged(tag: string): void {
    for (const key of [...(this.#keysByTag.get(tag) ?? [])]) this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #untag(key: string, { dependsOn }: Loaded<V>): void {
    for (const row of dependsOn) {
      const tag = tagOf(row);
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }
}
