import { HeldBytes } from '../held-bytes.ts';
import { type Line, type LineHandler, LineReader } from './line-reader.ts';

/** An event with its blank line; or, without lines, the comments and blank lines before one. */
export interface StreamEvent {
  /** Its position in the stream. */
  readonly start: number;
  readonly bytes: Buffer;
  readonly lines: readonly Line[];
  /** False for a piece of an event that is longer than the limit, which has no lines. */
  readonly isWhole: boolean;
}

const LINE_BREAK = Buffer.from('\n');

/** Bytes of an event that is held as a whole. */
export const MAX_EVENT = 16 * 1024 * 1024;

/** Reads whole events from chunks that may begin and end anywhere. Longer ones than the limit come in pieces. */
export class EventReader implements LineHandler {
  readonly #limit: number;
  readonly #held = new HeldBytes();
  readonly #reader = new LineReader(this);
  /** Of the event that has not ended. */
  #lines: Line[] = [];
  /** No field has come since the last event. */
  #isBetween = true;
  #lineEnd = 0;
  #isWhole = true;
  #ready: StreamEvent[] = [];

  /** @param limit bytes of an event */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A piece of an event that has not ended has been returned. */
  get isWithinLong(): boolean {
    return !this.#isWhole;
  }

  feed(chunk: Buffer): StreamEvent[] {
    this.#held.append(chunk);
    this.#reader.feed(chunk);
    if (this.#isBetween) this.#take(this.#lineEnd);
    const { start, end } = this.#held;
    const size = end - start;
    if (size > this.#limit || (size > 0 && !this.#isWhole)) {
      this.#isWhole = false;
      this.#take(end);
    }
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** The stream has ended. @returns the bytes of an event without its blank line */
  end(): Buffer {
    return this.#held.take(this.#held.end);
  }

  endLine(line: Line): void {
    const isBetween = this.#isBetween;
    this.#isBetween = line.endsEvent;
    this.#lineEnd = line.end;
    if (isBetween && line.endsEvent && this.#isWhole) return;
    if (isBetween) this.#take(line.start);
    this.#lines.push(line);
    if (!line.endsEvent) return;
    this.#take(line.end);
    this.#isWhole = true;
  }

  #take(end: number): void {
    const { start } = this.#held;
    if (end <= start) return;
    const lines = this.#isWhole ? this.#lines : [];
    this.#lines = [];
    this.#ready.push({ start, bytes: this.#held.take(end), lines, isWhole: this.#isWhole });
  }
}

/** The value of a line of an event. */
function valueIn({ bytes, start }: StreamEvent, { value, valueEnd }: Line): Buffer {
  return bytes.subarray(value - start, valueEnd - start);
}

/** The data of an event; undefined for an event without data. Its lines are joined by LF. */
export function dataOf(event: StreamEvent): Buffer | undefined {
  const [first, ...others] = event.lines
    .filter(({ kind }) => kind === 'data')
    .map((line) => valueIn(event, line));
  if (first === undefined || others.length === 0) return first;
  return Buffer.concat([first, ...others.flatMap((value) => [LINE_BREAK, value])]);
}

/** Where a byte of the data stands in the event. */
export function placeOfData({ start, lines }: StreamEvent, at: number): number {
  let before = 0;
  for (const { kind, value, valueEnd } of lines) {
    if (kind !== 'data') continue;
    const next = before + valueEnd - value + LINE_BREAK.length;
    if (at < next) return value - start + at - before;
    before = next;
  }
  throw new RangeError('The data of the event is shorter.');
}

/**
 * The value of a field of an event, as header values are: a character for each byte. The last one counts, but no id that
 * contains NUL (WHATWG HTML section 9.2.6). Undefined for an event without it.
 */
export function fieldOf(event: StreamEvent, kind: 'event' | 'id'): string | undefined {
  return event.lines
    .filter((line) => line.kind === kind)
    .map((line) => valueIn(event, line).toString('latin1'))
    .findLast((value) => kind !== 'id' || !value.includes('\0'));
}
