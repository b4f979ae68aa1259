const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const OPENING = 1;
const CLOSING = 2;
const STRING = 3;
const LITERAL = 4;

/** The kind of a byte outside of strings; 0 if it neither opens nor closes anything, nor is part of a literal. */
const KINDS = new Uint8Array(256);
for (const byte of Buffer.from('{[')) KINDS[byte] = OPENING;
for (const byte of Buffer.from('}]')) KINDS[byte] = CLOSING;
KINDS[QUOTE] = STRING;
for (const byte of Buffer.from(
  '+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
)) {
  KINDS[byte] = LITERAL;
}

const STARTS = new Uint8Array(256);
for (const byte of Buffer.from('-0123456789tfn')) STARTS[byte] = LITERAL;

/** Bytes compared one by one before calling `indexOf`: the call alone costs about as much. */
const NEAR = 32;

/**
 * Finds the end of a JSON value (RFC 8259) that arrives in chunks, in constant memory. It counts
 * brackets and quotes and does not validate what is between them.
 */
export class ValueSkipper {
  /** Whether a value has begun and not yet ended. */
  isOpen = false;
  /** Whether the value is a number, `true`, `false` or `null`, which only the next byte ends. */
  isLiteral = false;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Begins a value with its first byte; returns false if no JSON value begins with it. */
  begin(first: number): boolean {
    const kind = KINDS[first];
    this.isLiteral = STARTS[first] === LITERAL;
    this.#isInString = kind === STRING;
    this.#depth = kind === OPENING ? 1 : 0;
    this.isOpen = this.isLiteral || this.#isInString || this.#depth === 1;
    return this.isOpen;
  }

  /** Returns the index after the value, or the chunk's length while the value is still open. */
  skip(chunk: Buffer, start: number): number {
    if (this.isLiteral) return this.#skipLiteral(chunk, start);
    let at = start;
    if (this.#isInString) {
      this.#isInString = false;
      at = this.#skipString(chunk, at);
      if (this.#isInString) return at;
    }
    let depth = this.#depth;
    while (depth > 0 && at < chunk.length) {
      const kind = KINDS[chunk[at] as number];
      at += 1;
      if (kind === STRING) at = this.#skipString(chunk, at);
      else if (kind === OPENING) depth += 1;
      else if (kind === CLOSING) depth -= 1;
    }
    this.#depth = depth;
    this.isOpen = depth > 0;
    return at;
  }

  #skipLiteral(chunk: Buffer, start: number): number {
    let at = start;
    while (at < chunk.length && KINDS[chunk[at] as number] === LITERAL) at += 1;
    this.isOpen = at === chunk.length;
    return at;
  }

  /** Returns the index after the closing quote; remembers an open string when the chunk ends first. */
  #skipString(chunk: Buffer, start: number): number {
    let at = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    const near = Math.min(chunk.length, at + NEAR);
    while (at < near) {
      const byte = chunk[at];
      if (byte === QUOTE) return at + 1;
      at += byte === BACKSLASH ? 2 : 1;
    }
    while (at < chunk.length) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      const isEscaped = isOdd(chunk, at, end);
      if (quote === -1) at = isEscaped ? end + 1 : end;
      else if (isEscaped) at = end + 1;
      else return end + 1;
    }
    this.#isInString = true;
    this.#isEscaped = at > chunk.length;
    return chunk.length;
  }
}

/** Whether an odd number of backslashes precedes `end`, counted back to `start` at most. */
function isOdd(chunk: Buffer, start: number, end: number): boolean {
  let at = end;
  while (at > start && chunk[at - 1] === BACKSLASH) at -= 1;
  return (end - at) % 2 === 1;
}
