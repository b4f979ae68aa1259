/**
 * The last bytes of what ends a line for some client: the endings of WHATWG HTML section 9.2.6 and of Python's
 * `splitlines`, which are LF, CR, VT, FF, U+001C to U+001E, U+0085, U+2028 and U+2029.
 */
const LAST_BYTES = [0x0a, 0x0d, 0x0b, 0x0c, 0x1c, 0x1d, 0x1e, 0x85, 0xa8, 0xa9];
const LINE_ENDS = new Uint8Array(256);
for (const byte of LAST_BYTES) LINE_ENDS[byte] = 1;

/** The bytes before the last one. */
const BEFORE_85 = 0xc2;
const BEFORE_A8 = 0xe280;

/** Bytes that are looked at one by one: ten native searches cost as much as a thousand. */
const NEAR = 1024;

/** No line with the name has begun where some client may see one. */
const OFF = -1;

/** Finds a line with a name that some client may see in an event stream, although others do not. */
export class SeenLines {
  readonly #name: string;
  readonly #isUtf8: boolean;
  /** The two bytes before the next one. */
  #last = 0;
  /** How many bytes of the name have come since a line ended for some client, or {@link OFF}. */
  #matched = 0;
  #hasLineEnd = false;

  /**
   * @param name a field, or a field and its value, in lower case
   * @param isUtf8 whether every client reads the stream as UTF-8. Otherwise the last byte of a line ending is enough.
   */
  constructor(name: string, isUtf8: boolean) {
    this.#name = name;
    this.#isUtf8 = isUtf8;
  }

  /** Some client may take a byte that has come for the end of a line. */
  get hasLineEnd(): boolean {
    return this.#hasLineEnd;
  }

  /** Some client may see a line with the name. */
  get isFound(): boolean {
    return this.#matched === this.#name.length;
  }

  /** Begins with a line that all clients see alike, up to a line ending within it. */
  startLine(): void {
    this.#last = 0;
    this.#matched = OFF;
    this.#hasLineEnd = false;
  }

  feed(part: Buffer): void {
    if (this.#matched === OFF && !mayEndLine(part)) {
      const { length } = part;
      const before = length > 1 ? (part[length - 2] as number) : this.#last & 0xff;
      if (length > 0) this.#last = (before << 8) | (part[length - 1] as number);
      return;
    }
    for (let i = 0; i < part.length && !this.isFound; i += 1) this.#read(part[i] as number);
  }

  #read(byte: number): void {
    if (this.#endsLine(byte)) {
      this.#hasLineEnd = true;
      this.#matched = 0;
    } else if (this.#matched !== OFF) this.#matched = this.#next(byte);
    this.#last = ((this.#last & 0xff) << 8) | byte;
  }

  #endsLine(byte: number): boolean {
    if (byte < 0x80 || !this.#isUtf8) return LINE_ENDS[byte] === 1;
    if (byte === 0xa8 || byte === 0xa9) return this.#last === BEFORE_A8;
    return byte === 0x85 && (this.#last & 0xff) === BEFORE_85;
  }

  /** Before the name and around its colon, anything but visible ASCII may be skipped. */
  #next(byte: number): number {
    const [name, matched] = [this.#name, this.#matched];
    const isVisible = byte > 0x20 && byte < 0x7f;
    if (!isVisible) {
      const maySkip = matched === 0 || name[matched] === ':' || name[matched - 1] === ':';
      return maySkip ? matched : OFF;
    }
    const isUpper = byte >= 0x41 && byte <= 0x5a;
    return (isUpper ? byte + 0x20 : byte) === name.charCodeAt(matched) ? matched + 1 : OFF;
  }
}

/** Whether a byte may be the last of a line ending. */
function mayEndLine(part: Buffer): boolean {
  if (part.length > NEAR) return LAST_BYTES.some((byte) => part.includes(byte));
  for (let i = 0; i < part.length; i += 1) if (LINE_ENDS[part[i] as number] === 1) return true;
  return false;
}
