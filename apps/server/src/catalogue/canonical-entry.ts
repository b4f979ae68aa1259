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

const [OBJECT, ARRAY, QUOTE] = Buffer.from('{["');

/** Canonical JSON (RFC 8785) by key. */
type Members = ReadonlyMap<string, string>;

/**
 * The fields of the definition in the entry of a list. Undefined if they have more bytes than `maxBytes`, not counting
 * white space, if RFC 8785 cannot express their values, or if two parsers may read different things in them: the same key
 * twice in an object, or at the top a key that some take for a known one. The entry must be JSON.
 *
 * One pass takes a third of the time of parsing and printing, in which nothing else has its turn.
 */
export function canonicalEntry(entry: Buffer, maxBytes: number): Members | undefined {
  const reader = new EntryReader(entry, maxBytes);
  const scanner = new JsonScanner(reader);
  const isRead = scanner.feed(entry) && scanner.end() && reader.isClear;
  return isRead ? reader.fields : undefined;
}

/** An object or array that has begun, and what has been read of it. */
class Container {
  /** Of the member that is being read, in an object. */
  key = '';
  readonly members: Map<string, string> | undefined;
  readonly #items: string[] = [];

  constructor(byte: number) {
    this.members = byte === OBJECT ? new Map() : undefined;
  }

  add(json: string): void {
    if (this.members === undefined) this.#items.push(json);
    else this.members.set(this.key, json);
  }

  get json(): string {
    return this.members === undefined ? `[${this.#items.join()}]` : canonicalObject(this.members);
  }
}

/** The canonical JSON of an object with these members: sorted as JavaScript sorts, by UTF-16 code units. */
export function canonicalObject(members: Members): string {
  const keys = [...members.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${members.get(key)}`).join()}}`;
}

class EntryReader implements JsonReader {
  isClear = true;
  readonly #entry: Buffer;
  readonly #maxBytes: number;
  /** The entry, and what the reader is inside of. */
  readonly #open: Container[] = [];
  #root: Container | undefined;
  /** Of the definition, without white space. */
  #bytes = 0;
  /** Whether a field of the definition is being read. */
  #isInField = false;
  /** Where the value begins that began last, if it is not looked into. */
  #start: number | undefined;

  constructor(entry: Buffer, maxBytes: number) {
    this.#entry = entry;
    this.#maxBytes = maxBytes;
  }

  get fields(): Members | undefined {
    return this.#root?.members;
  }

  key(start: number, end: number): void {
    if (this.#open.length === 1) {
      const known = KEYS.find(this.#entry, start, end);
      this.#isInField = known !== undefined;
      if (known?.isLookAlike) this.isClear = false;
    }
    if (!this.#isInField || !this.isClear) return;
    this.#count(end - start);
    const container = this.#open.at(-1);
    const key = textOf(this.#entry, start, end, end - start);
    if (key === null || container?.members?.has(key)) this.isClear = false;
    else if (container !== undefined) container.key = key;
  }

  begin(start: number, byte: number): boolean {
    const isRoot = this.#open.length === 0;
    if (this.#open.length > MAX_DEPTH) this.isClear = false;
    const isContainer = byte === OBJECT || byte === ARRAY;
    const isLookedInto = isContainer && this.isClear && (isRoot || this.#isInField);
    this.#start = isLookedInto ? undefined : start;
    if (isLookedInto) this.#open.push(new Container(byte));
    if (isRoot) this.#root = this.#open[0];
    return isLookedInto;
  }

  end(end: number): void {
    const start = this.#start;
    this.#start = undefined;
    const container = start === undefined ? this.#open.pop() : undefined;
    if (!this.#isInField || !this.isClear) return;
    this.#count(start === undefined ? 2 : end - start);
    const json = container?.json ?? canonicalScalar(this.#entry, start ?? end, end);
    if (json === undefined) this.isClear = false;
    else this.#open.at(-1)?.add(json);
    if (this.#open.length === 1) this.#isInField = false;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.isClear = false;
  }
}

/** Undefined for half of a surrogate pair and for a number without a double. */
function canonicalScalar(json: Buffer, start: number, end: number): string | undefined {
  if (json[start] === QUOTE) {
    const text = textOf(json, start, end, end - start);
    return text === null ? undefined : JSON.stringify(text);
  }
  const raw = json.toString('latin1', start, end);
  if (raw === 'true' || raw === 'false' || raw === 'null') return raw;
  const number = Number(raw);
  return Number.isFinite(number) ? String(number) : undefined;
}
