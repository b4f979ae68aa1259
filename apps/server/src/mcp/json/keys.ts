export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUL = Buffer.from('\\u0000');

/**
 * Letters outside ASCII that some case folding turns into an ASCII letter: the long s and the Kelvin sign by
 * Unicode's folding, the dotted and the dotless i by Java's and Turkish rules.
 */
const FOLDED: Readonly<Record<string, string>> = {
  '\u017f': 's',
  '\u212a': 'k',
  '\u0130': 'i',
  '\u0131': 'i',
};

/** One of the known keys as it was found. */
export interface FoundKey {
  readonly name: string;
  /** Written differently: equal only without regard to case, or without U+0000. */
  readonly isLookAlike: boolean;
}

interface KnownKey {
  readonly bytes: Buffer;
  readonly exact: FoundKey;
  readonly lookAlike: FoundKey;
}

const NO_KEYS: readonly KnownKey[] = [];

/** ASCII keys that are looked for in an object. */
export class KnownKeys {
  readonly #byLength: readonly (readonly KnownKey[])[];
  readonly #byFolded: ReadonlyMap<string, KnownKey>;
  readonly #longest: number;

  constructor(names: readonly string[]) {
    const keys = names.map((name) => ({
      bytes: Buffer.from(name),
      exact: { name, isLookAlike: false },
      lookAlike: { name, isLookAlike: true },
    }));
    this.#byFolded = new Map(keys.map((key) => [key.exact.name.toLowerCase(), key]));
    this.#longest = Math.max(...names.map((name) => name.length));
    this.#byLength = Array.from({ length: this.#longest + 1 }, (_, length) =>
      keys.filter(({ bytes }) => bytes.length === length),
    );
  }

  /**
   * Which of the keys these bytes are, or may be to some parser. The bytes must be a JSON string with its quotes.
   */
  find(json: Buffer, start: number, end: number): FoundKey | undefined {
    const alike = this.#byLength[end - start - 2] ?? NO_KEYS;
    for (const key of alike) if (isEqual(json, start, key.bytes)) return key.exact;
    if (isPlainAscii(json, start + 1, end - 1)) {
      // Folding ASCII keeps its length.
      if (alike.length === 0) return undefined;
      const text = json.toString('latin1', start + 1, end - 1);
      return this.#byFolded.get(text.toLowerCase())?.lookAlike;
    }
    const text = readStart(json, start + 1, end - 1, this.#longest);
    const found = this.#byFolded.get(folded(text.replaceAll('\0', '')));
    return text === found?.exact.name ? found.exact : found?.lookAlike;
  }
}

/**
 * Whether a key begins with a text, or does to some parser. The bytes must be a JSON string with its quotes.
 *
 * @param text ASCII in lower case
 */
export function mayBeginWith(json: Buffer, start: number, end: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const byte = at < end - start - 2 ? (json[start + 1 + at] as number) : 0;
    if (byte === BACKSLASH || byte > 0x7f) {
      return folded(readStart(json, start + 1, end - 1, text.length)).startsWith(text);
    }
    const isUpper = byte >= 0x41 && byte <= 0x5a;
    if ((isUpper ? byte + 0x20 : byte) !== text.charCodeAt(at)) return false;
  }
  return true;
}

/** Whether a string of the same length is the key. */
function isEqual(json: Buffer, start: number, key: Buffer): boolean {
  for (let at = 0; at < key.length; at += 1) if (json[start + 1 + at] !== key[at]) return false;
  return true;
}

/** Plain also means without escapes. */
function isPlainAscii(json: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = json[at] as number;
    if (byte === BACKSLASH || byte > 0x7f) return false;
  }
  return true;
}

/**
 * The text of a string, up to one character more than `longest`. U+0000 does not count; if there is
 * any, one is put at the end, so that the text differs from a key.
 */
function readStart(json: Buffer, start: number, end: number, longest: number): string {
  let text = '';
  let hasNul = false;
  let at = start;
  while (at < end && text.length <= longest) {
    if (isNul(json, at)) {
      hasNul = true;
      at += NUL.length;
      continue;
    }
    const next = at + lengthAt(json, at);
    const char = json.toString('utf8', at, next);
    text += char.startsWith('\\') ? JSON.parse(`"${char}"`) : char;
    at = next;
  }
  return hasNul ? `${text}\0` : text;
}

function isNul(json: Buffer, at: number): boolean {
  if (json[at] !== BACKSLASH) return false;
  for (let i = 1; i < NUL.length; i += 1) if (json[at + i] !== NUL[i]) return false;
  return true;
}

/** The number of bytes of the character or escape at this position. */
function lengthAt(json: Buffer, at: number): number {
  if (json[at] === BACKSLASH) return json[at + 1] === 0x75 ? 6 : 2;
  let length = 1;
  while (length < 4 && ((json[at + length] ?? 0) & 0xc0) === 0x80) length += 1;
  return length;
}

function folded(text: string): string {
  return text.replace(/[\u017f\u212a\u0130\u0131]/g, (char) => FOLDED[char] ?? char).toLowerCase();
}

/**
 * The value of a JSON string, given with its quotes. Null if it is not a string, is longer than `longest` bytes,
 * or contains U+0000 or half of a surrogate pair, which parsers read differently. The bytes must be JSON.
 */
export function textOf(json: Buffer, start: number, end: number, longest: number): string | null {
  if (json[start] !== QUOTE || end - start - 2 > longest) return null;
  return unescaped(json.toString('utf8', start + 1, end - 1));
}

/** The value of a JSON string, given without its quotes; null where {@link textOf} is. */
export function unescaped(text: string): string | null {
  if (!text.includes('\\')) return text;
  const value: unknown = JSON.parse(`"${text}"`);
  return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value) ? value : null;
}
