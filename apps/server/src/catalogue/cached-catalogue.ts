import { hash } from 'node:crypto';
import type { ToolFacts } from '@gatehouse/contract';
import type { LRUCache } from 'lru-cache';
import { type Definition, isCatalogued, readDefinition } from './fingerprint.ts';
import { type Fingerprints, factsOf, type KnownTool, type ToolSource } from './known-tool.ts';
import type { Sightings } from './sightings.ts';
import { MAX_NAMES } from './write-sightings.ts';

/** The tools of one integration, as far as they are known. */
export interface Catalogue {
  /** The facts of the definition seen last; undefined if the tool was never seen. */
  factsOf(name: string): ToolFacts | undefined;
  /**
   * The facts of the definition in an entry of a list, which counts as the one seen last at once. Undefined for a new
   * tool for which there is no place: calls of it are refused too.
   */
  see(entry: Buffer, name: string): ToolFacts | undefined;
}

/** By the SHA-256 of entries that have been read. */
export type ReadEntries = LRUCache<string, Fingerprints>;

/** The stored catalogue of an integration, and the sightings since it was read. */
export class CachedCatalogue implements Catalogue {
  readonly #source: ToolSource;
  readonly #tools: ReadonlyMap<string, KnownTool>;
  readonly #entries: ReadEntries;
  readonly #sightings: Sightings;

  constructor(
    source: ToolSource,
    tools: ReadonlyMap<string, KnownTool>,
    entries: ReadEntries,
    sightings: Sightings,
  ) {
    this.#source = source;
    this.#tools = tools;
    this.#entries = entries;
    this.#sightings = sightings;
  }

  factsOf(name: string): ToolFacts | undefined {
    const latest = this.#latestOf(name);
    return latest && factsOf(this.#tools.get(name), latest);
  }

  see(entry: Buffer, name: string): ToolFacts | undefined {
    if (!isCatalogued(name)) return undefined;
    const key = hash('sha256', entry, 'base64');
    const before = this.#entries.get(key);
    const isKnown = before !== undefined && !this.#isNews(name, before);
    const read = isKnown ? before : this.#note(key, readDefinition(entry, name));
    return this.#latestOf(name) && factsOf(this.#tools.get(name), read);
  }

  #note(key: string, definition: Definition): Fingerprints {
    const { name, fingerprint, schemaFingerprint, readOnly } = definition;
    this.#entries.set(key, { fingerprint, schemaFingerprint, readOnly });
    if (this.#isNews(name, definition)) this.#sightings.add(this.#source, definition);
    return definition;
  }

  /** A new tool for which there is no place never is. */
  #isNews(name: string, { fingerprint }: Fingerprints): boolean {
    const latest = this.#latestOf(name);
    if (latest === undefined) return this.#tools.size < MAX_NAMES;
    return latest.fingerprint !== fingerprint;
  }

  #latestOf(name: string): Fingerprints | undefined {
    const waiting = this.#sightings.latestOf(this.#source.integrationId, name);
    return waiting ?? this.#tools.get(name)?.latest;
  }
}
