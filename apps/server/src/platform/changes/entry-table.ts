import type { Loaded } from './cache.ts';
import { tagOf } from './changes.ts';

/** Entries by key, least recently used first, with an index from the rows they depend on. */
export class EntryTable<V> {
  readonly #entries = new Map<string, Loaded<V>>();
  readonly #keysByTag = new Map<string, Set<string>>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** The entry, which becomes the most recently used one. */
  use(key: string): Loaded<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, entry: Loaded<V>): void {
    this.delete(key);
    this.#entries.set(key, entry);
    for (const row of entry.dependsOn) {
      const tag = tagOf(row);
      const keys = this.#keysByTag.get(tag);
      if (keys === undefined) this.#keysByTag.set(tag, new Set([key]));
      else keys.add(key);
    }
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    for (const row of entry.dependsOn) {
      const tag = tagOf(row);
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }

  deleteTagged(tag: string): void {
    for (const key of [...(this.#keysByTag.get(tag) ?? [])]) this.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#keysByTag.clear();
  }
}
