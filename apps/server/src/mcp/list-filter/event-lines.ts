const DATA = Buffer.from('data');
const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;

/** The bytes of a byte order mark, which may stand before the first line. */
const MARK: ReadonlySet<number> = new Set(Buffer.from('\uFEFF'));

/** The kind of a line. `rest` is not a line but a byte order mark, or the LF of a CRLF that came in two chunks. */
export type LineKind = 'data' | 'field' | 'comment' | 'blank' | 'rest';

/** What the scanner calls. */
export interface EventLines {
  /** A line of data has begun. */
  beginData(): void;
  /** A part of the value of that line. */
  data(part: Buffer): void;
  /** A part of another line, except for its beginning if that is equal to `data`. */
  other(part: Buffer): void;
  /** A line has ended before this position, counted from the beginning of the stream. */
  endLine(kind: LineKind, end: number): void;
}

/** Where the scanner is in a line. Lower states are the number of bytes that are equal to `data` so far. */
const AFTER_NAME = DATA.length;
const AFTER_COLON = 5;
const IN_DATA = 6;
const IN_OTHER = 7;
const IN_COMMENT = 8;

/** Finds lines of data and the ends of events (WHATWG HTML section 9.2.6) in chunks that may begin and end anywhere. */
export class EventLineScanner {
  readonly #lines: EventLines;
  #state = 0;
  /** Whether the last byte was a CR, which an LF may complete. */
  #isAfterCr = false;
  #isFirstLine = true;
  /** The position of the chunk. */
  #base = 0;

  constructor(lines: EventLines) {
    this.#lines = lines;
  }

  /** The position of the first byte that has not been read. */
  get position(): number {
    return this.#base;
  }

  feed(chunk: Buffer): void {
    let at = this.#skipLf(chunk);
    let lf = -1;
    while (at < chunk.length) {
      if (this.#state < IN_DATA) {
        at = this.#advance(chunk, at);
        continue;
      }
      if (lf < at) lf = lineFeedOf(chunk, at);
      const cr = chunk.subarray(at, lf).indexOf(CR);
      const end = cr === -1 ? lf : at + cr;
      if (end > at) this.#announcePart(chunk.subarray(at, end));
      at = end < chunk.length ? this.#endLine(chunk, end) : end;
    }
    this.#base += chunk.length;
  }

  /** The stream has ended, perhaps within a line. */
  end(): void {
    if (this.#state !== 0) this.#announce(this.#base);
  }

  /** @returns where to go on */
  #skipLf(chunk: Buffer): number {
    if (!this.#isAfterCr || chunk.length === 0) return 0;
    this.#isAfterCr = false;
    if (chunk[0] !== LF) return 0;
    this.#lines.endLine('rest', this.#base + 1);
    return 1;
  }

  /** Reads a byte before the value of a line. */
  #advance(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (byte === LF || byte === CR) return this.#endLine(chunk, at);
    const state = this.#state;
    if (state === AFTER_COLON) {
      this.#state = IN_DATA;
      return byte === SPACE ? at + 1 : at;
    }
    if (state === 0 && this.#isFirstLine && MARK.has(byte)) {
      this.#lines.endLine('rest', this.#base + at + 1);
    } else if (state === 0 && byte === COLON) this.#state = IN_COMMENT;
    else if (state === AFTER_NAME && byte === COLON) {
      this.#lines.beginData();
      this.#state = AFTER_COLON;
    } else if (byte === DATA[state]) this.#state = state + 1;
    else {
      this.#state = IN_OTHER;
      return at;
    }
    return at + 1;
  }

  #announcePart(part: Buffer): void {
    if (this.#state === IN_DATA) this.#lines.data(part);
    else this.#lines.other(part);
  }

  /** @returns where the next line begins */
  #endLine(chunk: Buffer, at: number): number {
    const isCr = chunk[at] === CR;
    const next = isCr && chunk[at + 1] === LF ? at + 2 : at + 1;
    this.#isAfterCr = isCr && at + 1 === chunk.length;
    this.#isFirstLine = false;
    this.#announce(this.#base + next);
    return next;
  }

  #announce(end: number): void {
    const state = this.#state;
    if (state === AFTER_NAME) this.#lines.beginData();
    this.#state = 0;
    this.#lines.endLine(kindOf(state), end);
  }
}

function kindOf(state: number): LineKind {
  if (state === 0) return 'blank';
  if (state === IN_COMMENT) return 'comment';
  return state >= AFTER_NAME && state <= IN_DATA ? 'data' : 'field';
}

function lineFeedOf(chunk: Buffer, at: number): number {
  const found = chunk.indexOf(LF, at);
  return found === -1 ? chunk.length : found;
}
