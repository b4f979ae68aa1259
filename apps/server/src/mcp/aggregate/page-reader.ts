import { KnownKeys, textOf } from '../json/keys.ts';
import type { JsonReader } from '../json/scanner.ts';
import type { ListKey } from '../methods.ts';
import { EntryReader, type PageEntry } from './entry-reader.ts';

/** Entries of a page. */
const MAX_ENTRIES = 5_000;

const [OBJECT, ARRAY] = Buffer.from('{[');
const DIGITS = new Set(Buffer.from('0123456789'));

const MESSAGE_KEYS = new KnownKeys(['result']);

type Place = 'message' | 'result' | 'list';

/** Why a response gives no list. */
export type PageFault =
  /** No JSON of UTF-8, or two results or lists. */
  | 'unreadable'
  /** An error, or a result without the list. */
  | 'no_list'
  /** More than 5,000. */
  | 'too_many_entries';

/** A page of a list as an upstream sent it. */
export interface ListPage {
  readonly entries: readonly PageEntry[];
  readonly nextCursor: string | undefined;
  readonly ttlMs: number | undefined;
}

/**
 * Finds the entries of one list in a response. Nothing else of the response is passed on, so that outside of the entries
 * it does not matter what other parsers may take keys for.
 */
export class PageReader implements JsonReader {
  readonly #page: Buffer;
  readonly #list: ListKey;
  readonly #resultKeys: KnownKeys;
  readonly #inside: Place[] = [];
  readonly #entries: PageEntry[] = [];
  #entry: EntryReader | undefined;
  #key: string | undefined;
  /** Where a value begins that has not ended and that is not looked into. */
  #start: number | undefined;
  #hasResult = false;
  #hasList = false;
  #nextCursor: string | undefined;
  #ttlMs: number | undefined;
  #fault: PageFault | undefined;

  constructor(page: Buffer, list: ListKey) {
    this.#page = page;
    this.#list = list;
    this.#resultKeys = new KnownKeys([list, 'nextCursor', 'ttlMs']);
  }

  /** Once the response has been read to its end. */
  get page(): ListPage | PageFault {
    if (this.#fault !== undefined) return this.#fault;
    if (!this.#hasList) return 'no_list';
    return { entries: this.#entries, nextCursor: this.#nextCursor, ttlMs: this.#ttlMs };
  }

  key(start: number, end: number): void {
    if (this.#entry !== undefined) {
      this.#entry.key(start, end);
      return;
    }
    const keys = this.#inside.at(-1) === 'message' ? MESSAGE_KEYS : this.#resultKeys;
    const found = keys.find(this.#page, start, end);
    this.#key = found?.isLookAlike === false ? found.name : undefined;
  }

  begin(start: number, byte: number): boolean {
    if (this.#entry !== undefined) return this.#entry.begin(start, byte);
    const place = this.#inside.at(-1);
    if (place === 'list' && byte === OBJECT) {
      this.#entry = new EntryReader(this.#page, this.#list, start);
      return true;
    }
    const next = this.#enter(place, byte);
    this.#start = next === undefined ? start : undefined;
    if (next !== undefined) this.#inside.push(next);
    return next !== undefined;
  }

  end(end: number): void {
    if (this.#entry !== undefined) {
      if (this.#entry.end(end)) this.#addEntry(this.#entry.entryTo(end));
      return;
    }
    const start = this.#start;
    this.#start = undefined;
    if (start === undefined) this.#inside.pop();
    else if (this.#inside.at(-1) === 'list') this.#addEntry(this.#oddEntry(start, end));
    else if (this.#inside.at(-1) === 'result') this.#endMember(start, end);
  }

  /** What the reader looks into, if a value begins with this byte. */
  #enter(place: Place | undefined, byte: number): Place | undefined {
    if (place === undefined) return byte === OBJECT ? 'message' : undefined;
    if (place === 'message' && this.#key === 'result') {
      if (this.#hasResult) this.#fault = 'unreadable';
      this.#hasResult = true;
      return byte === OBJECT ? 'result' : undefined;
    }
    if (place !== 'result' || this.#key !== this.#list || byte !== ARRAY) return undefined;
    if (this.#hasList) this.#fault = 'unreadable';
    this.#hasList = true;
    return 'list';
  }

  #addEntry(entry: PageEntry): void {
    this.#entry = undefined;
    if (this.#entries.length < MAX_ENTRIES) this.#entries.push(entry);
    else this.#fault ??= 'too_many_entries';
  }

  /** An entry that is no object. */
  #oddEntry(start: number, end: number): PageEntry {
    const bytes = this.#page.subarray(start, end);
    return { identifier: undefined, fault: 'unidentified', bytes, hasMeta: false, spots: [] };
  }

  #endMember(start: number, end: number): void {
    if (this.#key === 'nextCursor') {
      this.#nextCursor = textOf(this.#page, start, end, end - start) ?? undefined;
    } else if (this.#key === 'ttlMs' && DIGITS.has(this.#page[start] ?? 0)) {
      this.#ttlMs = Number(this.#page.toString('latin1', start, end));
    }
  }
}
