import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ListedTool } from '../mcp/client/listed-tools.ts';
import type { Lists } from '../mcp/client/lists.ts';
import { createCache } from '../platform/changes/create-cache.ts';
import type { Store } from '../platform/database/store.ts';
import { CachedCatalogue, type Catalogue, type ReadEntries } from './cached-catalogue.ts';
import type { KnownTool, ToolSource } from './known-tool.ts';
import { readTools } from './repository.ts';
import { createSightings } from './sightings.ts';
import { writeListings } from './write-listings.ts';
import { MAX_NAMES } from './write-sightings.ts';

/** The catalogues of all integrations. */
export interface Catalogues {
  /** Undefined if it must be read. */
  peek(source: ToolSource): Catalogue | undefined;
  get(source: ToolSource): Promise<Catalogue>;
  /** Writes what has been listed here. */
  record(source: ToolSource, lists: Lists): Promise<void>;
  /** Writes the tools of one integration that were seen on this node, if any of them waits. */
  write(integrationId: string): Promise<void>;
  /** Writes what was seen. */
  flush(): Promise<void>;
  /** Writes what was seen, and stops. */
  close(): Promise<void>;
}

/** Cached catalogues. A tool takes about 600 bytes. */
const MAX_CACHED = 100;

/** @param onError called when a write fails that will be tried again. */
export function createCatalogues(store: Store, onError: (error: unknown) => void): Catalogues {
  const sightings = createSightings(store, onError);
  const { changes } = store;
  const known = createCache<ReadonlyMap<string, KnownTool>>({ changes, maxEntries: MAX_CACHED });
  const entries = new LRUCache<string, ReadEntries>({ max: MAX_CACHED });

  const entriesOf = (integrationId: string): ReadEntries => {
    const found = entries.get(integrationId) ?? new LRUCache({ max: MAX_NAMES });
    entries.set(integrationId, found);
    return found;
  };
  const catalogueOf = (source: ToolSource, tools: ReadonlyMap<string, KnownTool>) =>
    new CachedCatalogue(source, tools, entriesOf(source.integrationId), sightings);

  const get = async (source: ToolSource): Promise<Catalogue> => {
    const { organizationId, integrationId } = source;
    const tools = await known.get(integrationId, async () => ({
      value: await readTools(store.db, organizationId, integrationId),
      dependsOn: [{ kind: 'tools', id: integrationId }],
    }));
    return catalogueOf(source, tools);
  };

  return {
    get,
    peek(source) {
      const tools = known.peek(source.integrationId);
      return tools && catalogueOf(source, tools);
    },
    async record(source, { listedTools = [], ...others }) {
      if (listedTools.length > 0) {
        await seeAll(await get(source), listedTools);
        await sightings.write(source.integrationId);
      }
      await writeListings(store, source, others);
    },
    write: (integrationId) => sightings.write(integrationId),
    flush: () => sightings.flush(),
    async close() {
      known.close();
      await sightings.close();
    },
  };
}

/** Milliseconds after which other calls go on. */
const TURN = 5;

async function seeAll(catalogue: Catalogue, tools: readonly ListedTool[]): Promise<void> {
  let until = performance.now() + TURN;
  for (const { entry, name } of tools) {
    catalogue.see(entry, name);
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + TURN;
  }
}
