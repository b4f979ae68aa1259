const NOTHING = Buffer.alloc(0);
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;

/** The bytes of a byte order mark, which may stand before the first line. */
const MARK: ReadonlySet<number> = new Set(Buffer.from('\uFEFF'));

type Field = 'data' | 'event' | 'id' | 'retry';

/** The fields by their first bytes. */
const FIELDS = new Map(
  (['data', 'event', 'id', 'retry'] as const).map((field) => {
    const name = Buffer.from(field);
    return [name[0], { field, name }] as const;
  }),
);

/** Bytes before the value of a line. */
const PREFIXES: Readonly<Record<LineKind, number>> = {
  data: 5,
  event: 6,
  id: 3,
  retry: 6,
  comment: 1,
  other: 0,
  blank: 0,
  rest: 0,
};

/** Bytes in which a line ending is looked for one by one: a native search costs as much as a hundred. */
const NEAR = 64;

/**
 * The field that a line sets; `other` for a field without a meaning. `rest` is no line, but a byte order mark, or the LF of
 * a CRLF that came in two chunks.
 */
export type LineKind = Field | 'other' | 'comment' | 'blank' | 'rest';

/** Positions count from the beginning of the stream. */
export interface Line {
  readonly kind: LineKind;
  readonly start: number;
  /** Where its value begins; for `other`, where the line does. */
  readonly value: number;
  /** Where its value ends, before the line ending. */
  readonly valueEnd: number;
  readonly end: number;
  /** It is a blank line, or comes before the first field of an event. */
  readonly endsEvent: boolean;
}

export interface LineHandler {
  beginLine?(kind: LineKind): void;
  /** Takes the next part of the value of a line; for `other`, of the whole line. */
  addToLine?(kind: LineKind, part: Buffer): void;
  endLine(line: Line): void;
}

/** Reads the lines of an event stream (WHATWG HTML section 9.2.6) from chunks that may begin and end anywhere. */
export class LineReader {
  readonly #handler: LineHandler;
  /** Undefined until enough of the line has been read. */
  #kind: LineKind | undefined;
  /** The beginning of a line of which the kind is not known. */
  #head: Buffer = NOTHING;
  /** A space after the colon does not belong to the value. */
  #isAfterColon = false;
  #start = 0;
  #value = 0;
  /** The event that has not ended has a field. */
  #hasField = false;
  /** Nothing but a byte order mark has been read. */
  #isAtStart = true;
  /** The last byte was a CR, which an LF may complete. */
  #isAfterCr = false;
  /** Of the first byte of the chunk. */
  #position = 0;

  constructor(handler: LineHandler) {
    this.#handler = handler;
  }

  /** The position of the first byte that has not been read. */
  get position(): number {
    return this.#position;
  }

  feed(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const head = this.#takeHead();
    const chunk = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
    let at = this.#skipRest(chunk);
    while (at < chunk.length) {
      const end = lineEndAt(chunk, at);
      at = this.#read(chunk, at, end, end < chunk.length);
    }
    this.#position += chunk.length;
  }

  /** The stream has ended, perhaps within a line. */
  end(): void {
    const head = this.#takeHead();
    if (head.length > 0 || this.#kind !== undefined) this.#read(head, 0, head.length, true);
    this.#position += head.length;
  }

  #takeHead(): Buffer {
    const head = this.#head;
    this.#head = NOTHING;
    this.#position -= head.length;
    return head;
  }

  /** @returns where the first line begins, or goes on */
  #skipRest(chunk: Buffer): number {
    let at = this.#isAfterCr && chunk[0] === LF ? 1 : 0;
    this.#isAfterCr = false;
    while (this.#isAtStart && MARK.has(chunk[at] ?? 0)) at += 1;
    if (at < chunk.length) this.#isAtStart = false;
    if (at === 0) return 0;
    const end = this.#position + at;
    this.#value = end;
    this.#endLine('rest', end, end);
    return at;
  }

  /** Reads a line, or a part of one. @returns where to go on */
  #read(chunk: Buffer, from: number, to: number, hasEnd: boolean): number {
    const kind = this.#kind ?? kindOf(chunk, from, to, hasEnd);
    if (kind === undefined) {
      this.#head = chunk.subarray(from);
      return to;
    }
    let at = this.#kind === undefined ? this.#begin(kind, from, to) : from;
    if (this.#isAfterColon && at < to) {
      this.#isAfterColon = false;
      if (chunk[at] === SPACE) {
        at += 1;
        this.#value += 1;
      }
    }
    if (at < to) this.#handler.addToLine?.(kind, chunk.subarray(at, to));
    if (!hasEnd) return to;
    const next = to + endingAt(chunk, to);
    this.#isAfterCr = next === chunk.length && chunk[to] === CR && next === to + 1;
    this.#endLine(kind, this.#position + to, this.#position + next);
    return next;
  }

  /** @returns where the value of the line begins */
  #begin(kind: LineKind, from: number, to: number): number {
    const at = Math.min(to, from + PREFIXES[kind]);
    this.#kind = kind;
    this.#isAfterColon = at > from;
    this.#value = this.#position + at;
    this.#handler.beginLine?.(kind);
    return at;
  }

  #endLine(kind: LineKind, valueEnd: number, end: number): void {
    const isField = kind !== 'comment' && kind !== 'rest';
    this.#hasField = kind !== 'blank' && (isField || this.#hasField);
    const [start, value, endsEvent] = [this.#start, this.#value, !this.#hasField];
    this.#kind = undefined;
    this.#isAfterColon = false;
    this.#start = end;
    this.#handler.endLine({ kind, start, value, valueEnd, end, endsEvent });
  }
}

/** The kind of a line with this beginning; undefined if more of it is needed. */
function kindOf(chunk: Buffer, start: number, end: number, isWhole: boolean): LineKind | undefined {
  const first = chunk[start];
  if (start === end) return isWhole ? 'blank' : undefined;
  if (first === COLON) return 'comment';
  const found = FIELDS.get(first);
  if (found === undefined) return 'other';
  const { field, name } = found;
  for (let i = 1; i < name.length; i += 1) {
    if (start + i === end && !isWhole) return undefined;
    if (chunk[start + i] !== name[i]) return 'other';
  }
  const after = start + name.length;
  if (after < end) return chunk[after] === COLON ? field : 'other';
  return isWhole ? field : undefined;
}

/** The length of the line ending at a position, which may be the end of the stream. */
function endingAt(chunk: Buffer, at: number): number {
  if (at === chunk.length) return 0;
  return chunk[at] === CR && chunk[at + 1] === LF ? 2 : 1;
}

/**
 * Finds the end of the line at a position, or of the chunk. Both endings are searched for in growing parts: without one of
 * them, each line would search the whole chunk for it.
 */
function lineEndAt(chunk: Buffer, from: number): number {
  let at = from;
  for (const near = Math.min(chunk.length, from + NEAR); at < near; at += 1) {
    const byte = chunk[at];
    if (byte === LF || byte === CR) return at;
  }
  for (let size = 4 * NEAR; at < chunk.length; size *= 4) {
    const part = chunk.subarray(at, at + size);
    const lf = part.indexOf(LF);
    const cr = (lf === -1 ? part : part.subarray(0, lf)).indexOf(CR);
    if (cr !== -1) return at + cr;
    if (lf !== -1) return at + lf;
    at += part.length;
  }
  return chunk.length;
}
