import { type FoundKey, KnownKeys, textOf } from '../json/keys.ts';
import type { JsonReader } from '../json/scanner.ts';
import type { HeldBytes } from './held-bytes.ts';
import { ListEntries } from './list-entries.ts';
import type { Edit, ListFault, ListFilterOptions, ListKey } from './options.ts';

/** Bytes of `"public"` with every letter escaped. */
const LONGEST_SCOPE = 38;

const PRIVATE = Buffer.from('"private"');
const [OBJECT, ARRAY, QUOTE] = Buffer.from('{["');

const LISTS: ReadonlySet<string> = new Set<ListKey>([
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
]);
const MESSAGE_KEYS = new KnownKeys(['result']);
const RESULT_KEYS = new KnownKeys([...LISTS, 'cacheScope']);

type Place = 'batch' | 'message' | 'result' | 'list' | 'entry';

/** Finds the entries of lists in JSON-RPC responses, and says which bytes are cut or replaced. */
export class ListReader implements JsonReader {
  readonly #held: HeldBytes;
  readonly #options: ListFilterOptions;
  readonly #inside: Place[] = [];
  #edits: Edit[] = [];
  #fault: ListFault | undefined;
  #key: FoundKey | undefined;
  /** Where a value begins that the reader does not look into. */
  #start: number | undefined;
  #hasResult = false;
  #hasList = false;
  #entries: ListEntries | undefined;
  /** Where the value of `cacheScope` begins. */
  #scopeStart: number | undefined;

  constructor(held: HeldBytes, options: ListFilterOptions) {
    this.#held = held;
    this.#options = options;
  }

  /** Bytes from here on may still be changed once the text is read up to a position; infinity if there are no such bytes. */
  undecidedAt(position: number): number {
    const scope = this.#scopeStart;
    if (scope !== undefined && position - scope <= LONGEST_SCOPE) return scope;
    return this.#entries?.undecided ?? Number.POSITIVE_INFINITY;
  }

  /** Why the response cannot be filtered. */
  get fault(): ListFault | undefined {
    return this.#fault;
  }

  /** The changes since the last time, in order. */
  takeEdits(): readonly Edit[] {
    const edits = this.#edits;
    this.#edits = [];
    return edits;
  }

  key(start: number, end: number): void {
    const place = this.#inside.at(-1);
    if (place === 'entry') this.#note(this.#entries?.key(start, end));
    if (place !== 'message' && place !== 'result') return;
    const { buffer, base } = this.#held;
    const keys = place === 'message' ? MESSAGE_KEYS : RESULT_KEYS;
    this.#key = keys.find(buffer, start - base, end - base);
    if (this.#key === undefined || this.#key.name === 'cacheScope') return;
    const hasOther = place === 'message' ? this.#hasResult : this.#hasList;
    if (hasOther || this.#key.isLookAlike) this.#note('ambiguous');
    if (place === 'message') this.#hasResult = true;
    else this.#hasList = true;
  }

  begin(start: number, byte: number): boolean {
    if (this.#inside.at(-1) === 'list') this.#entries?.begin(start);
    const next = this.#enter(start, byte);
    this.#start = next === undefined ? start : undefined;
    if (next !== undefined) this.#inside.push(next);
    return next !== undefined;
  }

  end(end: number): void {
    const start = this.#start;
    this.#start = undefined;
    const place = start === undefined ? this.#inside.pop() : this.#inside.at(-1);
    if (start === undefined) this.#leave(place, end);
    else if (place === 'entry') this.#entries?.value(start, end);
    else if (place === 'list') this.#endEntry(end);
    else if (this.#scopeStart !== undefined) this.#endScope(end);
  }

  /** What the reader looks into, if a value begins with this byte. */
  #enter(start: number, byte: number): Place | undefined {
    const place = this.#inside.at(-1);
    if (place === undefined && byte === ARRAY) return 'batch';
    if (place === undefined || place === 'batch') return byte === OBJECT ? 'message' : undefined;
    if (place === 'list') return byte === OBJECT ? 'entry' : undefined;
    if (place === 'entry' || this.#key === undefined) return undefined;
    if (place === 'message') return byte === OBJECT ? 'result' : undefined;
    if (this.#key.name === 'cacheScope') {
      if (byte === QUOTE && this.#options.makePrivate) this.#scopeStart = start;
      return undefined;
    }
    return this.#enterList(this.#key.name, byte);
  }

  #enterList(name: string, byte: number): 'list' | undefined {
    // Some clients may take an object for a list.
    if (byte === OBJECT) this.#note('unreadable');
    if (byte !== ARRAY || !isListKey(name)) return undefined;
    this.#entries = new ListEntries(name, this.#held, this.#options);
    return 'list';
  }

  #leave(place: Place | undefined, end: number): void {
    if (place === 'entry') this.#endEntry(end);
    else if (place === 'list') this.#entries = undefined;
    else if (place === 'result') this.#hasList = false;
    else if (place === 'message') this.#hasResult = false;
  }

  #endEntry(end: number): void {
    if (this.#fault !== undefined) return;
    const outcome = this.#entries?.end(end);
    if (typeof outcome === 'object') this.#add(outcome);
    else this.#note(outcome);
  }

  #endScope(end: number): void {
    const start = this.#scopeStart ?? end;
    this.#scopeStart = undefined;
    if (end - start > LONGEST_SCOPE) return;
    const { buffer, base } = this.#held;
    const scope = textOf(buffer, start - base, end - base, LONGEST_SCOPE);
    if (scope === 'public') this.#add({ start, end, replacement: PRIVATE });
  }

  /** Adjacent cuts become one, so that a list of which every entry is cut takes no memory. */
  #add(edit: Edit): void {
    const last = this.#edits.at(-1);
    const isTouching = last?.end === edit.start && last.replacement.length === 0;
    if (isTouching) this.#edits[this.#edits.length - 1] = { ...edit, start: last.start };
    else if (edit.start < edit.end) this.#edits.push(edit);
  }

  #note(fault: ListFault | undefined): void {
    this.#fault ??= fault;
  }
}

function isListKey(name: string): name is ListKey {
  return LISTS.has(name);
}
