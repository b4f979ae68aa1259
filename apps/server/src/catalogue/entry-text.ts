import { KnownKeys, textOf } from '../mcp/json/keys.ts';
import { type JsonReader, JsonScanner } from '../mcp/json/scanner.ts';

/** Levels of objects and arrays; deeper entries are not read. */
const MAX_DEPTH = 100;

/** The keys of a tool that matter to clients. */
const KEYS = new KnownKeys([
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
]);

const [OBJECT, ARRAY] = Buffer.from('{[');

/**
 * The definition in the entry of a list, as JSON without its other fields. Undefined if it has more bytes than
 * `maxBytes`, not counting white space, or if two parsers may read different things in it: the same key twice in an
 * object, or at the top a key that some take for a known one. The entry must be JSON.
 */
export function definitionTextOf(entry: Buffer, maxBytes: number): string | undefined {
  const reader = new EntryReader(entry, maxBytes);
  const scanner = new JsonScanner(reader);
  const isRead = scanner.feed(entry) && scanner.end() && reader.isClear;
  return isRead ? `{${reader.fields.join()}}` : undefined;
}

class EntryReader implements JsonReader {
  readonly fields: string[] = [];
  isClear = true;
  readonly #entry: Buffer;
  readonly #maxBytes: number;
  /** Of each value that has begun: the keys of an object so far. */
  readonly #begun: (Set<string> | undefined)[] = [];
  /** Of the definition, without white space. */
  #bytes = 0;
  /** Where the field of the definition begins that is being read. */
  #field: number | undefined;
  /** Where the value begins that began last, if it is not looked into. */
  #start: number | undefined;

  constructor(entry: Buffer, maxBytes: number) {
    this.#entry = entry;
    this.#maxBytes = maxBytes;
  }

  key(start: number, end: number): void {
    if (this.#begun.length === 1) {
      const known = KEYS.find(this.#entry, start, end);
      this.#field = known && start;
      if (known?.isLookAlike) this.isClear = false;
    }
    if (this.#field === undefined || !this.isClear) return;
    this.#count(end - start);
    const keys = this.#begun.at(-1);
    const key = textOf(this.#entry, start, end, end - start);
    if (key === null || keys?.has(key)) this.isClear = false;
    else keys?.add(key);
  }

  begin(start: number, byte: number): boolean {
    const isRoot = this.#begun.length === 0;
    if (this.#begun.length > MAX_DEPTH) this.isClear = false;
    const isContainer = byte === OBJECT || byte === ARRAY;
    const isLookedInto = isContainer && this.isClear && (isRoot || this.#field !== undefined);
    this.#begun.push(byte === OBJECT ? new Set() : undefined);
    this.#start = isLookedInto ? undefined : start;
    return isLookedInto;
  }

  end(end: number): void {
    this.#begun.pop();
    if (this.#field === undefined) return;
    this.#count(this.#start === undefined ? 2 : end - this.#start);
    this.#start = undefined;
    if (this.#begun.length !== 1) return;
    this.fields.push(this.#entry.toString('utf8', this.#field, end));
    this.#field = undefined;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.isClear = false;
  }
}
