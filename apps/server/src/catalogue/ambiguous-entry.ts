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
 * Whether two parsers may read different things in the entry of a list: the same key twice in one of its objects, or at
 * its top a key that some take for a known one. The entry must be JSON.
 */
export function isAmbiguousEntry(entry: Buffer): boolean {
  const reader = new EntryReader(entry);
  const scanner = new JsonScanner(reader);
  return !scanner.feed(entry) || !scanner.end() || reader.isAmbiguous;
}

class EntryReader implements JsonReader {
  readonly #entry: Buffer;
  /** Of each value that has begun: the keys of an object so far. */
  readonly #begun: (Set<string> | undefined)[] = [];
  isAmbiguous = false;

  constructor(entry: Buffer) {
    this.#entry = entry;
  }

  key(start: number, end: number): void {
    if (this.#begun.length === 1 && KEYS.find(this.#entry, start, end)?.isLookAlike) {
      this.isAmbiguous = true;
    }
    const keys = this.#begun.at(-1);
    const key = textOf(this.#entry, start, end, end - start);
    if (key === null || keys?.has(key)) this.isAmbiguous = true;
    else keys?.add(key);
  }

  begin(_start: number, byte: number): boolean {
    if (this.#begun.length > MAX_DEPTH) this.isAmbiguous = true;
    const isContainer = !this.isAmbiguous && (byte === OBJECT || byte === ARRAY);
    this.#begun.push(byte === OBJECT ? new Set() : undefined);
    return isContainer;
  }

  end(): void {
    this.#begun.pop();
  }
}
