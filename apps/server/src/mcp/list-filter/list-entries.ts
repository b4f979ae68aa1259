import { isUtf8 } from 'node:buffer';
import type { HeldBytes } from '../held-bytes.ts';
import type { Edit } from '../json/edit.ts';
import { type FoundKey, KnownKeys, textOf } from '../json/keys.ts';
import { type ListKey, mcpLists } from '../methods.ts';
import { type ListFault, type ListFilterOptions, MAX_ENTRY } from './options.ts';

const KEYS = {
  name: new KnownKeys(['name']),
  uri: new KnownKeys(['uri']),
  uriTemplate: new KnownKeys(['uriTemplate']),
};

const NOTHING = Buffer.alloc(0);

/** The entries of one list, as they arrive. */
export class ListEntries {
  readonly #list: ListKey;
  readonly #held: HeldBytes;
  readonly #options: ListFilterOptions;
  /** Where the last entry ended. */
  #lastEnd: number | undefined;
  #start: number | undefined;
  #hasKept = false;
  #key: FoundKey | undefined;
  #keys = 0;
  #identifier: string | null = null;

  constructor(list: ListKey, held: HeldBytes, options: ListFilterOptions) {
    this.#list = list;
    this.#held = held;
    this.#options = options;
  }

  /** Bytes from here on may still be cut: an entry is cut with the comma before it. */
  get undecided(): number {
    return this.#lastEnd ?? this.#start ?? Number.POSITIVE_INFINITY;
  }

  begin(start: number): void {
    this.#start = start;
    this.#key = undefined;
    this.#keys = 0;
    this.#identifier = null;
  }

  /** A key of the entry that has begun. */
  key(start: number, end: number): ListFault | undefined {
    const { buffer, base } = this.#held;
    this.#key = KEYS[mcpLists[this.#list].identifier].find(buffer, start - base, end - base);
    if (this.#key === undefined) return undefined;
    this.#keys += 1;
    return this.#keys > 1 ? 'ambiguous' : undefined;
  }

  /** The value of that key. */
  value(start: number, end: number): void {
    if (this.#key === undefined || this.#key.isLookAlike) return;
    const { buffer, base } = this.#held;
    this.#identifier = textOf(buffer, start - base, end - base, end - start);
  }

  /** @returns what is cut; undefined if the entry stays, with the comma before it */
  end(end: number): Edit | ListFault | undefined {
    const start = this.#start ?? end;
    const from = this.#lastEnd ?? start;
    this.#lastEnd = end;
    if (end - start > MAX_ENTRY) return 'entry_too_large';
    const isAllowed = this.#isAllowed(start, end);
    if (typeof isAllowed === 'string') return isAllowed;
    if (!isAllowed) return { start: from, end, replacement: NOTHING };
    // The first entry that stays must not have a comma before it.
    const cut = this.#hasKept ? undefined : { start: from, end: start, replacement: NOTHING };
    this.#hasKept = true;
    return cut;
  }

  /** An entry that cannot be identified is not allowed. */
  #isAllowed(start: number, end: number): boolean | ListFault {
    const identifier = this.#identifier;
    if (identifier === null) return false;
    const entry = this.#held.slice(start, end);
    if (!isUtf8(entry)) return 'unreadable';
    return this.#options.allows?.(this.#list, identifier, entry) ?? true;
  }
}
