import { hash } from 'node:crypto';
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
  'icons',
  'execution',
  '_meta',
]);

/** The members of `_meta` that tell a client which page shows the tool's results. */
const META_KEYS = new KnownKeys(['ui', 'ui/resourceUri', 'openai/outputTemplate']);

/** Characters of a text within icons that stays as it is: pictures in `data:` URIs may be long. */
const MAX_ICON_TEXT = 1024;

const [OBJECT, ARRAY, QUOTE] = Buffer.from('{["');

/** Canonical JSON (RFC 8785, numbers as {@link canonicalNumber} writes them) by key. */
type Members = ReadonlyMap<string, string>;

/**
 * The fields of the definition in the entry of a list. Undefined if they have more bytes than `maxBytes`, not counting
 * white space, if canonical JSON cannot express their values, or if two parsers may read different things in them: the
 * same key twice in an object, or at the top or in `_meta` a key that some take for a known one. The entry must be JSON.
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
  /** The key at the top that is being read, if it is known. */
  #field: string | undefined;
  /** Whether a field of the definition is being read. `_meta` is one only below its known keys. */
  #isInField = false;
  /** Where the value begins that began last, if it is not looked into. */
  #start: number | undefined;

  constructor(entry: Buffer, maxBytes: number) {
    this.#entry = entry;
    this.#maxBytes = maxBytes;
  }

  get fields(): Members | undefined {
    const members = this.#root?.members;
    if (members?.get('_meta') === '{}') members.delete('_meta');
    return members;
  }

  key(start: number, end: number): void {
    const depth = this.#open.length;
    if (depth === 1) this.#field = this.#known(KEYS, start, end);
    const isMeta = this.#field === '_meta';
    if (depth === 1) this.#isInField = this.#field !== undefined && !isMeta;
    else if (depth === 2 && isMeta) {
      this.#isInField = this.#known(META_KEYS, start, end) !== undefined;
    }
    const isRead = this.#isInField || (isMeta && depth === 1);
    if (!isRead || !this.isClear) return;
    if (this.#isInField) this.#count(end - start);
    const container = this.#open.at(-1);
    const key = textOf(this.#entry, start, end, end - start);
    if (key === null || container?.members?.has(key)) this.isClear = false;
    else if (container !== undefined) container.key = key;
  }

  begin(start: number, byte: number): boolean {
    const depth = this.#open.length;
    if (depth > MAX_DEPTH) this.isClear = false;
    const isContainer = byte === OBJECT || byte === ARRAY;
    const isMeta = this.#isMetaAt(depth) && byte === OBJECT;
    const isLookedInto = isContainer && this.isClear && (depth === 0 || this.#isInField || isMeta);
    this.#start = isLookedInto ? undefined : start;
    if (isLookedInto) this.#open.push(new Container(byte));
    if (depth === 0) this.#root = this.#open[0];
    return isLookedInto;
  }

  end(end: number): void {
    const start = this.#start;
    this.#start = undefined;
    const container = start === undefined ? this.#open.pop() : undefined;
    if (!this.isClear) return;
    if (this.#isMetaAt(this.#open.length)) {
      this.#open.at(-1)?.add(container?.json ?? '{}');
      return;
    }
    if (!this.#isInField) return;
    const json = container?.json ?? this.#scalar(start ?? end, end);
    if (start === undefined) this.#count(2);
    if (json === undefined) this.isClear = false;
    else this.#open.at(-1)?.add(json);
    if (this.#open.length === 1) this.#isInField = false;
  }

  /** Whether the value of `_meta` begins or has ended. */
  #isMetaAt(depth: number): boolean {
    return depth === 1 && this.#field === '_meta';
  }

  #known(keys: KnownKeys, start: number, end: number): string | undefined {
    const known = keys.find(this.#entry, start, end);
    if (known?.isLookAlike) this.isClear = false;
    return known?.name;
  }

  /** Undefined for half of a surrogate pair and for a number without a double. */
  #scalar(start: number, end: number): string | undefined {
    if (this.#entry[start] !== QUOTE) {
      this.#count(end - start);
      const raw = this.#entry.toString('latin1', start, end);
      return LITERALS.has(raw) ? raw : canonicalNumber(raw);
    }
    const text = textOf(this.#entry, start, end, end - start);
    if (text === null) return undefined;
    const isLong = this.#field === 'icons' && text.length > MAX_ICON_TEXT;
    this.#count(isLong ? MAX_ICON_TEXT : end - start);
    return isLong ? `{"sha256":"${hash('sha256', text)}"}` : JSON.stringify(text);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.isClear = false;
  }
}

const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** Digits of an exponent that is read. */
const MAX_EXPONENT = 6;

const ZERO = 0x30;

/**
 * A number of JSON, so that two are equal if and only if their values are: as RFC 8785 prints it if that is its value,
 * otherwise by all its digits, such as `9007199254740993` and `33333333333333329e-8`. Undefined if it has no double, or a
 * long exponent.
 *
 * @param raw as it was sent
 */
function canonicalNumber(raw: string): string | undefined {
  const number = Number(raw);
  const exact = digitsOf(raw);
  if (!Number.isFinite(number) || exact === undefined) return undefined;
  const printed = String(number);
  return digitsOf(printed) === exact ? printed : exact;
}

/** All digits of a number without zeros at the ends, and the power of ten. */
function digitsOf(number: string): string | undefined {
  const sign = number.startsWith('-') ? '-' : '';
  const [mantissa = '', power = '0'] = number.slice(sign.length).toLowerCase().split('e');
  if (power.length > MAX_EXPONENT + 1) return undefined;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`;
  let [first, last] = [0, digits.length];
  while (last > 0 && digits.charCodeAt(last - 1) === ZERO) last -= 1;
  while (first < last && digits.charCodeAt(first) === ZERO) first += 1;
  if (first === last) return '0';
  const exponent = Number(power) - fraction.length + (digits.length - last);
  const significant = digits.slice(first, last);
  // Whole numbers are written as such, up to the length at which JavaScript does.
  const isWhole = exponent >= 0 && significant.length + exponent <= 21;
  if (isWhole) return `${sign}${significant}${'0'.repeat(exponent)}`;
  return `${sign}${significant}e${exponent}`;
}
