import {
  AFTER_FIRST,
  AFTER_ITEM,
  AFTER_MEMBER,
  BEGIN_ARRAY,
  BEGIN_KEY,
  BEGIN_OBJECT,
  BEGIN_SCALAR,
  BEGIN_STRING,
  COLON,
  END,
  END_CONTAINER,
  END_LITERAL,
  END_NUMBER,
  END_STRING,
  FIRST_ITEM,
  FIRST_KEY,
  INVALID,
  isNumber,
  START,
  STEPS,
  STRING,
  TABLE,
} from './grammar.ts';
import { LONG, PlainText, skipLong } from './plain-text.ts';

/** What a scanner calls while it reads. Positions count the bytes of the whole text. */
export interface JsonReader {
  /** A key of the object that is looked into, in its quotes. */
  key(start: number, end: number): void;
  /**
   * A value begins, with this byte.
   *
   * @returns for an object or array, whether to look into it. Otherwise only its end is announced.
   */
  begin(start: number, byte: number): boolean;
  /** The value that began last, and has not ended, ends. */
  end(end: number): void;
}

const OBJECT = 1;
const ARRAY = 2;

/**
 * Checks that bytes are one JSON text (RFC 8259; a byte order mark may precede it), as they arrive, and
 * finds the positions of the values that its reader looks into. Strings may have any bytes above
 * 127: UTF-8 is not checked. Deep nesting takes a byte of memory for each level.
 */
export class JsonScanner {
  readonly #reader: JsonReader;
  #state = START;
  #containers = new Uint8Array(32);
  #depth = 0;
  /** The reader looks into containers down to this depth. */
  #watched = 0;
  #isKey = false;
  #keyStart = Number.POSITIVE_INFINITY;
  /** The position of the first byte of the next chunk. */
  #position = 0;

  constructor(reader: JsonReader) {
    this.#reader = reader;
  }

  /** Where the key begins that has not ended and that the reader will get; infinity if there is no such key. */
  get openKey(): number {
    return this.#keyStart;
  }

  /** The position of the first byte that has not been read. */
  get position(): number {
    return this.#position;
  }

  /** @returns whether the text can still be JSON. */
  feed(chunk: Buffer): boolean {
    const skipped = this.#state === STRING && chunk.length >= LONG ? skipLong(chunk) : 0;
    this.#position += skipped;
    return this.#read(skipped === 0 ? chunk : chunk.subarray(skipped));
  }

  #read(chunk: Uint8Array): boolean {
    const { length } = chunk;
    const base = this.#position;
    const text = new PlainText(chunk);
    let state = this.#state;
    for (let at = 0; at < length && state !== INVALID; at += 1) {
      if (state === STRING) {
        at = text.skip(at);
        if (at === length) break;
      }
      const byte = chunk[at] as number;
      const next = TABLE[state * 256 + byte] as number;
      if (next < STEPS) state = next;
      else {
        state = this.#step(next, byte, base + at);
        // The byte after a number has not been read.
        if (next === END_NUMBER) at -= 1;
      }
    }
    this.#position = base + length;
    this.#state = state;
    return state !== INVALID;
  }

  /** @returns whether the text is complete. */
  end(): boolean {
    if (this.#depth === 0 && isNumber(this.#state)) this.#state = this.#endValue(this.#position);
    return this.#state === END;
  }

  /** @returns the next state */
  #step(step: number, byte: number, at: number): number {
    switch (step) {
      case BEGIN_OBJECT:
        return this.#open(OBJECT, byte, at);
      case BEGIN_ARRAY:
        return this.#open(ARRAY, byte, at);
      case END_CONTAINER:
        if (this.#watched === this.#depth) this.#watched -= 1;
        this.#depth -= 1;
        return this.#endValue(at + 1);
      case BEGIN_KEY:
        this.#isKey = true;
        if (this.#depth === this.#watched) this.#keyStart = at;
        return STRING;
      case END_STRING:
        return this.#isKey ? this.#endKey(at + 1) : this.#endValue(at + 1);
      case END_LITERAL:
        return this.#endValue(at + 1);
      case END_NUMBER:
        return this.#endValue(at);
      default:
        return this.#beginScalar(step, byte, at);
    }
  }

  #beginScalar(step: number, byte: number, at: number): number {
    if (this.#depth === this.#watched) this.#reader.begin(at, byte);
    if (step === BEGIN_STRING) return STRING;
    return step === BEGIN_SCALAR ? (AFTER_FIRST[byte] as number) : INVALID;
  }

  #open(container: number, byte: number, at: number): number {
    const depth = this.#depth;
    if (depth === this.#watched && this.#reader.begin(at, byte)) this.#watched += 1;
    if (depth === this.#containers.length) {
      const longer = new Uint8Array(2 * depth);
      longer.set(this.#containers);
      this.#containers = longer;
    }
    this.#containers[depth] = container;
    this.#depth = depth + 1;
    return container === OBJECT ? FIRST_KEY : FIRST_ITEM;
  }

  #endKey(end: number): number {
    this.#isKey = false;
    if (this.#depth === this.#watched) {
      this.#reader.key(this.#keyStart, end);
      this.#keyStart = Number.POSITIVE_INFINITY;
    }
    return COLON;
  }

  #endValue(end: number): number {
    const depth = this.#depth;
    if (depth === this.#watched) this.#reader.end(end);
    if (depth === 0) return END;
    return this.#containers[depth - 1] === OBJECT ? AFTER_MEMBER : AFTER_ITEM;
  }
}
