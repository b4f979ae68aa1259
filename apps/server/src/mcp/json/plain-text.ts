import { PLAIN } from './grammar.ts';

/** Bytes of the shortest chunk for which a view of words is worth its cost. */
const LONG = 128;

/** Words after which a native search for the end of a text is worth its cost. */
const FEW = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NO_WORDS = new Int32Array(0);

/**
 * Finds where plain text ends within strings. Most bytes of a list are such text, so it is read in words of four bytes:
 * a third of the time of a look into a table for each byte. In a long text a native search finds the quote or backslash,
 * and only control characters are looked for in the words before it.
 */
export class PlainText {
  readonly #chunk: Buffer;
  /** The chunk from its first byte with an address that is a multiple of four, and the bytes before that. */
  readonly #words: Int32Array;
  readonly #lead: number;
  /** The first quote and the first backslash from where the last search began. */
  #quote = 0;
  #backslash = 0;

  constructor(chunk: Buffer) {
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
    const few = Math.min(words.length, word + FEW);
    while (word < few && isPlain(words[word] as number)) word += 1;
    if (word === few && few < words.length) word = this.#skipLong(word);
    return this.#skipBytes(lead + (word << 2), this.#chunk.length);
  }

  /** @returns the first word that may not be plain */
  #skipLong(first: number): number {
    const words = this.#words;
    const start = this.#lead + (first << 2);
    if (this.#quote < start) this.#quote = this.#find(QUOTE, start);
    if (this.#backslash < start) this.#backslash = this.#find(BACKSLASH, start);
    const end = (Math.min(this.#quote, this.#backslash) - this.#lead) >> 2;
    let word = first;
    while (word + 4 <= end) {
      const signs =
        belowBlank(words[word] as number) |
        belowBlank(words[word + 1] as number) |
        belowBlank(words[word + 2] as number) |
        belowBlank(words[word + 3] as number);
      if ((signs & 0x80808080) !== 0) break;
      word += 4;
    }
    while (word < end && isPlain(words[word] as number)) word += 1;
    return word;
  }

  #find(byte: number, start: number): number {
    const found = this.#chunk.indexOf(byte, start);
    return found === -1 ? this.#chunk.length : found;
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

/** The sign of each byte of a word tells whether the byte is below a blank. */
function belowBlank(word: number): number {
  return (word - 0x20202020) & ~word;
}
