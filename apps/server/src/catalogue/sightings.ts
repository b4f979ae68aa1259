import type { Store } from '../platform/database/store.ts';
import { WriteBehind } from '../platform/write-behind.ts';
import type { Definition } from './fingerprint.ts';
import type { ToolSource } from './known-tool.ts';
import { MAX_NAMES, writeSightings } from './write-sightings.ts';

/** Milliseconds from a sighting to its write at most. */
const WRITE_EVERY = 500;

/** Integrations with sightings that wait. */
const MAX_WAITING = 1_000;

/** Integrations in one call of `write`. */
const BATCH = 50;

/** Characters of definitions that wait, of one integration. More are written without their text, which the next write adds. */
const MAX_TEXT = 8 * 1024 * 1024;

/** The definitions of one integration that were seen, and are not written yet. */
interface Waiting {
  source: ToolSource;
  /** By name, the latest last. An array is replaced, not changed. */
  readonly tools: Map<string, readonly Definition[]>;
  text: number;
}

/** Writes behind which definitions of tools were seen. */
export interface Sightings {
  /** The latest one that waits to be written. */
  latestOf(integrationId: string, name: string): Definition | undefined;
  /** The latest one and the one before it are written; more than that in half a second are not. */
  add(source: ToolSource, definition: Definition): void;
  /** Writes those of one integration now. What cannot be written now is written behind. */
  write(integrationId: string): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createSightings(store: Store, onError: (error: unknown) => void): Sightings {
  const waiting = new Map<string, Waiting>();
  const writer = new WriteBehind<true>({
    interval: WRITE_EVERY,
    batchSize: BATCH,
    maxWaiting: MAX_WAITING,
    async write(sources) {
      const failed = new Set<string>();
      for (const key of sources.keys()) {
        await writeWaiting(key).catch((error: unknown) => {
          failed.add(key);
          onError(error);
        });
      }
      return failed;
    },
    onError,
  });

  /** Sightings stay until they are written, so that this node goes on judging by them. */
  const writeWaiting = async (integrationId: string): Promise<void> => {
    const ofSource = waiting.get(integrationId);
    if (ofSource === undefined) return;
    const { source } = ofSource;
    const written = new Map(ofSource.tools);
    await writeSightings(store, source, [...written.values()].flat());
    for (const [name, seen] of written) {
      // Otherwise another definition was seen meanwhile.
      if (ofSource.tools.get(name) === seen) ofSource.tools.delete(name);
    }
    ofSource.text = 0;
    if (ofSource.tools.size === 0) waiting.delete(integrationId);
    else writer.add(integrationId, true);
  };

  return {
    latestOf: (integrationId, name) => waiting.get(integrationId)?.tools.get(name)?.at(-1),
    add(source, definition) {
      const { integrationId } = source;
      const ofSource = waiting.get(integrationId) ?? { source, tools: new Map(), text: 0 };
      ofSource.source = source;
      const { tools } = ofSource;
      const before = tools.get(definition.name)?.at(-1);
      const isFull = before === undefined && tools.size >= MAX_NAMES;
      if (isFull || (waiting.size >= MAX_WAITING && !waiting.has(integrationId))) return;
      const length = definition.definition?.length ?? 0;
      const fits = ofSource.text + length <= MAX_TEXT;
      if (fits) ofSource.text += length;
      const seen = fits ? definition : { ...definition, definition: null };
      tools.set(definition.name, before === undefined ? [seen] : [before, seen]);
      waiting.set(integrationId, ofSource);
      writer.add(integrationId, true);
    },
    write: (integrationId) => writeWaiting(integrationId).catch(onError),
    flush: () => writer.flush(),
    close: () => writer.close(),
  };
}
