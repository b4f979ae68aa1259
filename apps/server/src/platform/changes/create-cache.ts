import type { Cache, CacheOptions, Loaded } from './cache.ts';
import { tagOf } from './changes.ts';
import { EntryTable } from './entry-table.ts';

/** A load under way, and what was heard since it began. */
interface Load<V> {
  readonly loaded: Promise<Loaded<V>>;
  readonly heard: Set<string>;
  heardEverything: boolean;
}

/** See `Cache` for what it promises. */
export function createCache<V>({ changes, maxEntries }: CacheOptions): Cache<V> {
  const entries = new EntryTable<V>(maxEntries);
  const running = new Set<Load<V>>();
  const shared = new Map<string, Load<V>>();

  const unsubscribe = changes.subscribe((heard) => {
    const tags = heard === 'everything' ? undefined : heard.map(tagOf);
    for (const load of running) note(load, tags);
    if (tags === undefined) entries.clear();
    else for (const tag of tags) entries.deleteTagged(tag);
  });

  const peek = (key: string): V | undefined => {
    if (!changes.isFresh()) return undefined;
    const entry = entries.use(key);
    if (entry?.expiresAt === undefined || Date.now() < entry.expiresAt) return entry?.value;
    entries.delete(key);
    return undefined;
  };

  const begin = (key: string, load: () => Promise<Loaded<V>>): Load<V> => {
    const begun: Load<V> = { loaded: load(), heard: new Set(), heardEverything: false };
    running.add(begun);
    shared.set(key, begun);
    const finish = (loaded?: Loaded<V>): void => {
      running.delete(begun);
      if (shared.get(key) === begun) shared.delete(key);
      if (loaded !== undefined && isUndisturbed(begun, loaded)) entries.set(key, loaded);
    };
    begun.loaded.then(finish, () => finish());
    return begun;
  };

  const get = async (key: string, load: () => Promise<Loaded<V>>): Promise<V> => {
    const held = peek(key);
    if (held !== undefined) return held;
    const earlier = changes.isFresh() ? shared.get(key) : undefined;
    if (earlier === undefined) return (await begin(key, load).loaded).value;
    const loaded = await earlier.loaded;
    // What began before this call may answer it only if nothing changed in between.
    if (isUndisturbed(earlier, loaded) && changes.isFresh()) return loaded.value;
    // The earlier load is over: one that is shared now began after this call.
    return (await (shared.get(key) ?? begin(key, load)).loaded).value;
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

function note(load: Load<unknown>, tags: readonly string[] | undefined): void {
  if (tags === undefined) load.heardEverything = true;
  else for (const tag of tags) load.heard.add(tag);
}

function isUndisturbed<V>(load: Load<V>, loaded: Loaded<V>): boolean {
  return !load.heardEverything && !loaded.dependsOn.some((row) => load.heard.has(tagOf(row)));
}
