import { isUtf8 } from 'node:buffer';

const EMPTY = Buffer.alloc(0);

/** Checks the encoding of a text as its bytes pass. A byte order mark is refused too. */
export class PassingUtf8 {
  #isAtStart = true;
  /** The bytes of a character that has not ended. */
  #open: Buffer = EMPTY;

  /** @returns whether the text can still be UTF-8. A character that never ends is left to the grammar of JSON. */
  feed(chunk: Buffer): boolean {
    if (this.#isAtStart && chunk[0] === 0xef) return false;
    this.#isAtStart &&= chunk.length === 0;
    const bytes = this.#open.length === 0 ? chunk : Buffer.concat([this.#open, chunk]);
    const end = bytes.length - openBytesOf(bytes);
    this.#open = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  }
}

/** The number of bytes at the end that begin a character without ending it. */
function openBytesOf(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0;
  }
  return 0;
}

/** The number of bytes of a character that begins with this one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
