import type { HeldBytes } from '../held-bytes.ts';
import type { Edit } from '../json/edit.ts';
import { type FoundKey, KnownKeys, textOf } from '../json/keys.ts';
import type { JsonReader } from '../json/scanner.ts';
import { HEAD_KEYS, HEAD_VALUES, MAX_VALUE, MessageHead, PARAMS_KEYS } from '../message-head.ts';
import { type ListKey, listKeys, mcpLists } from '../methods.ts';
import { ListEntries } from './list-entries.ts';
import type { ListFault, ListFilterOptions } from './options.ts';

/** Bytes of `"public"` with every letter escaped. */
const LONGEST_SCOPE = 38;

/** Messages of a batch. */
const MAX_MESSAGES = 1000;

const PRIVATE = Buffer.from('"private"');
const [OBJECT, ARRAY, QUOTE] = Buffer.from('{["');

const RESULT_KEYS = new KnownKeys([...listKeys, 'cacheScope']);

const KEYS: Readonly<Partial<Record<Place, KnownKeys>>> = {
  message: HEAD_KEYS,
  params: PARAMS_KEYS,
  result: RESULT_KEYS,
};

type Place = 'batch' | 'message' | 'params' | 'result' | 'list' | 'entry';

/** Finds the messages of a server and the entries of their lists, and says which bytes are cut or replaced. */
export class ListReader implements JsonReader {
  readonly #held: HeldBytes;
  readonly #options: ListFilterOptions;
  readonly #inside: Place[] = [];
  #edits: Edit[] = [];
  #fault: ListFault | undefined;
  #key: FoundKey | undefined;
  /** Where a value begins that the reader does not look into. */
  #start: number | undefined;
  #head = new MessageHead();
  /** The messages of a batch that have ended. */
  #heads: MessageHead[] = [];
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
    const value = this.#start;
    const isOfHead = value !== undefined && this.#isOfHead(this.#inside.at(-1));
    if (isOfHead && position - value <= MAX_VALUE) return value;
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
    const keys = place && KEYS[place];
    if (keys === undefined) return;
    const { buffer, base } = this.#held;
    this.#key = keys.find(buffer, start - base, end - base);
    if (this.#key === undefined) return;
    if (place === 'result') this.#noteList(this.#key);
    else this.#noteHead(this.#key);
  }

  #noteList({ name, isLookAlike }: FoundKey): void {
    if (name === 'cacheScope') return;
    if (this.#hasList || isLookAlike) this.#note('ambiguous');
    this.#hasList = true;
  }

  #noteHead(key: FoundKey): void {
    const isResult = key.name === 'result';
    const isOther = key.isLookAlike || this.#head.has('result');
    if (isResult && isOther && this.#options.allows) this.#note('ambiguous');
    this.#head.addKey(key);
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
    else if (this.#isOfHead(place)) this.#endHead(start, end);
    else if (place === 'batch') this.#endOdd();
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
    if (place === 'entry' || place === 'params' || this.#key === undefined) return undefined;
    if (place === 'message') return byte === OBJECT ? this.#enterMember(this.#key.name) : undefined;
    if (this.#key.name === 'cacheScope') {
      if (byte === QUOTE && this.#options.makePrivate) this.#scopeStart = start;
      return undefined;
    }
    return this.#enterList(this.#key.name, byte);
  }

  #enterMember(name: string): Place | undefined {
    if (name === 'params') return 'params';
    return name === 'result' && this.#options.allows ? 'result' : undefined;
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
    else if (place === 'message') this.#endMessage();
    else if (place === 'batch') this.#judge(this.#heads);
  }

  /** Whether a value is read that says what the message is. */
  #isOfHead(place: Place | undefined): boolean {
    const isHead = place === 'message' || place === 'params';
    return isHead && this.#key !== undefined && HEAD_VALUES.has(this.#key.name);
  }

  #endHead(start: number, end: number): void {
    const { buffer, base } = this.#held;
    this.#head.setValue(this.#key?.name ?? '', buffer, start - base, end - base);
  }

  /** A batch holds something other than messages. */
  #endOdd(): void {
    this.#head.setUnreadable();
    this.#endMessage();
  }

  #endMessage(): void {
    const head = this.#head;
    this.#head = new MessageHead();
    if (this.#inside.length === 0) this.#judge([head]);
    else if (this.#heads.length === MAX_MESSAGES) this.#note('unreadable');
    else this.#heads.push(head);
  }

  /** A batch passes as a whole or not at all. */
  #judge(heads: readonly MessageHead[]): void {
    if (this.#options.messages?.pass(heads) === false) this.#note('dropped');
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
  return Object.hasOwn(mcpLists, name);
}
