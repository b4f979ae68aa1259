import { MAX_TEXT } from '../envelope/messages.ts';
import { type FoundKey, KnownKeys, textOf } from '../json/keys.ts';
import { MAX_ENTRY } from '../list-filter/options.ts';
import { type ListKey, mcpLists } from '../methods.ts';
import type { EntryReason } from './left-out.ts';
import { MetaReader } from './meta-reader.ts';
import { type Spot, Spots } from './spots.ts';

/** An entry of a list as an upstream sent it. */
export interface PageEntry {
  /** Its name; of a resource the URI, of a template the URI template. */
  readonly identifier: string | undefined;
  /** Why it cannot be listed. */
  readonly fault: EntryReason | undefined;
  readonly bytes: Buffer;
  readonly hasMeta: boolean;
  /** What the aggregate changes in it. */
  readonly spots: readonly Spot[];
}

const META = '_meta';
const KEYS = {
  name: new KnownKeys(['name', META]),
  uri: new KnownKeys(['uri', META]),
  uriTemplate: new KnownKeys(['uriTemplate', META]),
};

const [OBJECT] = Buffer.from('{');
const NO_SPOTS: readonly Spot[] = [];

/** Reads one entry, of which it looks only at the identifier and at the keys of `_meta`. */
export class EntryReader {
  readonly #page: Buffer;
  readonly #start: number;
  readonly #identifierKey: 'name' | 'uri' | 'uriTemplate';
  readonly #spots: Spots;
  readonly #seen: string[] = [];
  #key: FoundKey | undefined;
  #identifier: string | undefined;
  #isAmbiguous = false;
  /** The `_meta` that has not ended. */
  #meta: MetaReader | undefined;
  /** Where a value begins that has not ended and that is not looked into. */
  #valueStart: number | undefined;
  /** Where the last member ended that was not looked into. */
  #lastEnd: number;

  constructor(page: Buffer, list: ListKey, start: number) {
    this.#page = page;
    this.#start = start;
    this.#lastEnd = start;
    this.#identifierKey = mcpLists[list].identifier;
    this.#spots = new Spots(start);
  }

  key(start: number, end: number): void {
    if (this.#meta !== undefined) {
      this.#meta.key(start, end);
      return;
    }
    this.#key = KEYS[this.#identifierKey].find(this.#page, start, end);
    if (this.#key === undefined) return;
    const { name, isLookAlike } = this.#key;
    if (isLookAlike || this.#seen.includes(name)) this.#isAmbiguous = true;
    this.#seen.push(name);
  }

  /** @returns whether to look into the value */
  begin(start: number, byte: number): boolean {
    const isMeta = this.#meta === undefined && this.#key?.name === META && byte === OBJECT;
    if (isMeta) this.#meta = new MetaReader(this.#page, this.#spots, start);
    this.#valueStart = isMeta ? undefined : start;
    return isMeta;
  }

  /** @returns whether it was the entry that has ended */
  end(end: number): boolean {
    const start = this.#valueStart;
    this.#valueStart = undefined;
    if (this.#meta === undefined) {
      if (start !== undefined) this.#endMember(start, end);
      return start === undefined;
    }
    if (start === undefined) {
      this.#meta.end();
      this.#meta = undefined;
    } else this.#meta.value(end);
    return false;
  }

  /** The entry, once it has ended. */
  entryTo(end: number): PageEntry {
    const fault = this.#faultOf(end);
    const identifier = this.#identifier;
    const bytes = this.#page.subarray(this.#start, end);
    const hasMeta = this.#seen.includes(META);
    if (fault !== undefined) return { identifier, fault, bytes, hasMeta, spots: NO_SPOTS };
    if (!hasMeta) this.#spots.add('comma_and_meta', this.#lastEnd);
    return { identifier, fault, bytes, hasMeta, spots: this.#spots.all };
  }

  #endMember(start: number, end: number): void {
    this.#lastEnd = end;
    if (this.#key === undefined || this.#key.isLookAlike) return;
    if (this.#key.name === META) {
      // MCP has no other value than an object. Strict clients refuse a list with one, so that it cannot stay either.
      this.#spots.add('meta_value', start, end);
      return;
    }
    this.#identifier ??= textOf(this.#page, start, end, MAX_TEXT) ?? undefined;
    this.#spots.add('identifier', start, end);
  }

  #faultOf(end: number): EntryReason | undefined {
    if (end - this.#start > MAX_ENTRY) return 'entry_too_large';
    if (this.#isAmbiguous) return 'ambiguous';
    return this.#identifier === undefined ? 'unidentified' : undefined;
  }
}
