import type { Cache, CacheOptions, Loaded } from './cache.ts';
import { rowKey } from './changes.ts';
import { EntryTable } from './entry-table.ts';

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

  const unsubscribe = changes.subscribe((changeSet) => {
    const rows = changeSet === 'everything' ? undefined : changeSet.map(rowKey);
    for (const load of activeLoads) recordChanges(load, rows);
    if (rows === undefined) entries.clear();
    else for (const row of rows) entries.deleteDependents(row);
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
