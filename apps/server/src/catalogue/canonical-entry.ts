import { hash } from 'node:crypto';
import { QUOTE } from '../mcp/json/keys.ts';
import { type JsonNode, OBJECT } from '../mcp/json/node.ts';
import { parseAtOnce } from '../mcp/json/parse.ts';
import { EVERYTHING, objectOf, type Shape } from '../mcp/json/shape.ts';

/** Levels of objects and arrays; deeper entries are not read. */
const MAX_DEPTH = 100;

/** The members of `_meta` that tell a client which page shows the tool's results. */
const META = wholeMembers(['ui', 'ui/resourceUri', 'openai/outputTemplate']);

/** The members of a tool that matter to clients. */
const FIELDS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  'execution',
];

const ENTRY = objectOf([], { ...wholeMembers(FIELDS), _meta: objectOf([], META) });

/** Characters of a text within icons that stays as it is: pictures in `data:` URIs may be long. */
const MAX_ICON_TEXT = 1024;

/** Canonical JSON (RFC 8785, numbers as {@link canonicalNumber} writes them) by key. */
type Members = ReadonlyMap<string, string>;

function wholeMembers(names: readonly string[]): Readonly<Record<string, Shape>> {
  return Object.fromEntries(names.map((name) => [name, EVERYTHING]));
}

/**
 * The fields of the definition in the entry of a list. Undefined if they have more bytes than `maxBytes`, not counting
 * white space, if canonical JSON cannot express their values, or if two parsers may read different things in them: the
 * same key twice in an object, or at the top or in `_meta` a key that some take for a known one. The entry must be JSON.
 */
export function canonicalEntry(entry: Buffer, maxBytes: number): Members | undefined {
  const root = parseAtOnce(entry, ENTRY);
  if (root === undefined || root.kind !== OBJECT) return undefined;
  const writer = new CanonicalWriter(entry, maxBytes);
  const meta = root.member('_meta');
  const metaMembers = writer.members(meta?.members ?? [], 2);
  if (metaMembers === undefined) return undefined;
  const found = new Map([['_meta', canonicalObject(metaMembers)]]);
  const others = root.members.filter((member) => member !== meta);
  const fields = writer.members(others, 1, found);
  if (metaMembers.size === 0) fields?.delete('_meta');
  return fields;
}

/** The canonical JSON of an object with these members: sorted as JavaScript sorts, by UTF-16 code units. */
export function canonicalObject(members: Members): string {
  const keys = [...members.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${members.get(key)}`).join()}}`;
}

/** Writes the values of one definition. Its results are undefined where {@link canonicalEntry} is. */
class CanonicalWriter {
  readonly #entry: Buffer;
  /** Bytes that may still be read, without white space. */
  #left: number;

  constructor(entry: Buffer, maxBytes: number) {
    this.#entry = entry;
    this.#left = maxBytes;
  }

  /**
   * @param depth of their values
   * @param found other members of the object
   */
  members(
    nodes: readonly JsonNode[],
    depth: number,
    found = new Map<string, string>(),
    isInIcons = false,
  ): Map<string, string> | undefined {
    for (const node of nodes) {
      const { name, isLookAlike } = node;
      if (isLookAlike || found.has(name) || !this.#has(this.#keyLength(node))) return undefined;
      const json = this.#value(node, depth, isInIcons || (depth === 1 && name === 'icons'));
      if (json === undefined) return undefined;
      found.set(name, json);
    }
    return found;
  }

  #value(node: JsonNode, depth: number, isInIcons: boolean): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (!node.isContainer) return this.#scalar(node, isInIcons);
    if (!this.#has(2)) return undefined;
    if (node.kind === OBJECT) {
      const members = this.members(node.members, depth + 1, undefined, isInIcons);
      return members && canonicalObject(members);
    }
    const items: string[] = [];
    for (const item of node.items) {
      const json = this.#value(item, depth + 1, isInIcons);
      if (json === undefined) return undefined;
      items.push(json);
    }
    return `[${items.join()}]`;
  }

  /** Undefined also for half of a surrogate pair and for a number without a double. */
  #scalar(node: JsonNode, isInIcons: boolean): string | undefined {
    const length = node.end - node.start;
    if (node.kind !== QUOTE) {
      if (!this.#has(length)) return undefined;
      const raw = node.raw(this.#entry);
      return LITERALS.has(raw) ? raw : canonicalNumber(raw);
    }
    const text = node.string(this.#entry, length);
    if (text === null) return undefined;
    const isLong = isInIcons && text.length > MAX_ICON_TEXT;
    if (!this.#has(isLong ? MAX_ICON_TEXT : length)) return undefined;
    return isLong ? `{"sha256":"${hash('sha256', text)}"}` : JSON.stringify(text);
  }

  /** Bytes of the key with its quotes. The value comes after it, a colon and white space. */
  #keyLength({ keyStart, start }: JsonNode): number {
    let end = start;
    while (this.#entry[end - 1] !== QUOTE) end -= 1;
    return end - keyStart;
  }

  /** Counts bytes. Returns false if there are too many. */
  #has(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
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
