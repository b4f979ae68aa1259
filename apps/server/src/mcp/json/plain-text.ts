import { PLAIN } from './grammar.ts';

/** Bytes of the shortest chunk for which a view of words is worth its cost. */
const LONG = 128;

const NO_WORDS = new Int32Array(0);

/**
 * Finds where plain text ends within strings. Most bytes of a list are such text, so it is read in words of four bytes:
 * a third of the time of a look into a table for each byte.
 */
export class PlainText {
  readonly #chunk: Uint8Array;
  /** The chunk from its first byte with an address that is a multiple of four, and the bytes before that. */
  readonly #words: Int32Array;
  readonly #lead: number;

  constructor(chunk: Uint8Array) {
    const { buffer, byteOffset, length } = chunk;
    this.#chunk = chunk;
    this.#lead = -byteOffset & 3;
    const count = (length - this.#lead) >> 2;
    this.#words = length < LONG ? NO_WORDS : new Int32Array(buffer, byteOffset + this.#lead, count);
  }

  /** @returns the first position from this one on where text may end or begin an escape, or the length */
  skip(start: number): number {
    const words = this.#words;
    const lead = this.#lead;
    const aligned = start + ((lead - start) & 3);
    const at = this.#skipBytes(start, aligned);
    if (at < aligned) return at;
    let word = (at - lead) >> 2;
    while (word < words.length && isPlain(words[word] as number)) word += 1;
    return this.#skipBytes(lead + (word << 2), this.#chunk.length);
  }

  #skipBytes(start: number, end: number): number {
    const chunk = this.#chunk;
    const last = Math.min(end, chunk.length);
    let at = start;
    while (at < last && PLAIN[chunk[at] as number] === 1) at += 1;
    return at;
  }
}

/** Whether no byte of a word is below a blank, a quote or a backslash (Hacker's Delight, section 6-1). */
function isPlain(word: number): boolean {
  const below = word - 0x20202020;
  const quote = (word ^ 0x22222222) - 0x01010101;
  const backslash = (word ^ 0x5c5c5c5c) - 0x01010101;
  return ((below | quote | backslash) & ~word & 0x80808080) === 0;
}
