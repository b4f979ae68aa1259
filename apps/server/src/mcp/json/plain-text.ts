import { PLAIN } from './grammar.ts';

/** Bytes of the shortest chunk for which a view of words, and a native search, are worth their cost. */
export const LONG = 128;

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

/**
 * Skips from the beginning of a chunk where text goes on that began in an earlier one. Such a text may be long, so a
 * native search finds its end, and only control characters are looked for in the words before it.
 *
 * @returns a position up to which all is plain, from which {@link PlainText.skip} goes on
 */
export function skipLong(chunk: Buffer): number {
  const { buffer, byteOffset } = chunk;
  const lead = -byteOffset & 3;
  const end = Math.min(find(chunk, '"'), find(chunk, '\\'));
  for (let at = 0; at < lead; at += 1) if (PLAIN[chunk[at] as number] === 0) return at;
  if (end < lead) return end;
  const words = new Int32Array(buffer, byteOffset + lead, (end - lead) >> 2);
  let word = 0;
  while (word + 4 <= words.length) {
    const signs =
      belowBlank(words[word] as number) |
      belowBlank(words[word + 1] as number) |
      belowBlank(words[word + 2] as number) |
      belowBlank(words[word + 3] as number);
    if ((signs & 0x80808080) !== 0) break;
    word += 4;
  }
  return lead + (word << 2);
}

function find(chunk: Buffer, char: string): number {
  const found = chunk.indexOf(char);
  return found === -1 ? chunk.length : found;
}

/** The sign of each byte of a word tells whether the byte is below a blank. */
function belowBlank(word: number): number {
  return (word - 0x20202020) & ~word;
}
