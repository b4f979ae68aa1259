const DATA = Buffer.from('data');

/**
 * The last bytes of what ends a line for some clients beside CR and LF, as for Python's `splitlines`: VT, FF, U+001C to
 * U+001E, U+0085, U+2028 and U+2029.
 */
const LAST_BYTES = [0x0b, 0x0c, 0x1c, 0x1d, 0x1e, 0x85, 0xa8, 0xa9];
const CONTROLS: ReadonlySet<number> = new Set(LAST_BYTES.slice(0, 5));

/** The bytes before the last one. */
const BEFORE_85 = 0xc2;
const BEFORE_A8 = 0xe280;

/** No line of data has begun where some client may see one. */
const OFF = -1;

/** Finds lines of data that some clients see within a line of an event stream, and others do not. */
export class HiddenLines {
  /** The two bytes before the next one. */
  #last = 0;
  /** How many letters of `data` have come since a line ended for some client, or {@link OFF}. */
  #matched = OFF;
  #hasLineEnd = false;

  /** Some client may take a byte that has come for the end of a line. */
  get hasLineEnd(): boolean {
    return this.#hasLineEnd;
  }

  /** Some client may see a line of data. */
  get hasData(): boolean {
    return this.#matched === DATA.length;
  }

  startLine(): void {
    this.#last = 0;
    this.#matched = OFF;
    this.#hasLineEnd = false;
  }

  /** Reads a part of the line. */
  feed(part: Buffer): void {
    if (this.#matched === OFF && !LAST_BYTES.some((byte) => part.includes(byte))) {
      const { length } = part;
      const before = length > 1 ? (part[length - 2] as number) : this.#last & 0xff;
      if (length > 0) this.#last = (before << 8) | (part[length - 1] as number);
      return;
    }
    for (let i = 0; i < part.length && !this.hasData; i += 1) this.#read(part[i] as number);
  }

  #read(byte: number): void {
    if (isLineEnd(this.#last, byte)) {
      this.#hasLineEnd = true;
      this.#matched = 0;
    } else if (this.#matched !== OFF) this.#matched = next(this.#matched, byte);
    this.#last = ((this.#last & 0xff) << 8) | byte;
  }
}

function isLineEnd(before: number, byte: number): boolean {
  if (byte === 0xa8 || byte === 0xa9) return before === BEFORE_A8;
  return byte === 0x85 ? (before & 0xff) === BEFORE_85 : CONTROLS.has(byte);
}

/** Before the name, anything but visible ASCII may be skipped. */
function next(matched: number, byte: number): number {
  const isVisible = byte > 0x20 && byte < 0x7f;
  if (!isVisible) return matched === 0 ? 0 : OFF;
  const isUpper = byte >= 0x41 && byte <= 0x5a;
  return (isUpper ? byte + 0x20 : byte) === DATA[matched] ? matched + 1 : OFF;
}
