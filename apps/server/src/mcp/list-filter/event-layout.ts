import { copy, type HeldBytes } from '../held-bytes.ts';

const PREFIX = Buffer.from('data: ');
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Where the lines of an event are, to write it again with other data. */
export class EventLayout {
  /** Start and end of each run of lines other than data. */
  readonly #others: number[] = [];
  /** The number of these positions before the first line of data, and where that line ends. */
  #before = 0;
  #firstEnd: number | undefined;

  addData(end: number): void {
    if (this.#firstEnd !== undefined) return;
    this.#firstEnd = end;
    this.#before = this.#others.length;
  }

  addOther(start: number, end: number): void {
    const others = this.#others;
    if (others.at(-1) === start) others[others.length - 1] = end;
    else others.push(start, end);
  }

  /**
   * The event with other data, as one line where the first line of data was. Its other lines stay the
   * same, byte for byte.
   *
   * @param end where the event ends
   * @param data JSON, in which a line break can only be white space between tokens
   */
  rewritten(held: HeldBytes, end: number, data: Buffer): Buffer {
    const size = end - held.start + PREFIX.length + data.length;
    const written = Buffer.allocUnsafe(size);
    let at = this.#copyOthers(held, 0, this.#before, written, 0);
    at += PREFIX.copy(written, at);
    at = writeAsOneLine(data, written, at);
    at += endingOf(held, this.#firstEnd ?? end).copy(written, at);
    at = this.#copyOthers(held, this.#before, this.#others.length, written, at);
    return written.subarray(0, at);
  }

  #copyOthers(held: HeldBytes, from: number, to: number, written: Buffer, at: number): number {
    const { buffer, base } = held;
    let size = at;
    for (let i = from; i < to; i += 2) {
      const [start = 0, end = 0] = [this.#others[i], this.#others[i + 1]];
      size = copy(buffer, start - base, end - base, written, size);
    }
    return size;
  }
}

/** The line ending before a position; empty if the stream ended without it. */
function endingOf(held: HeldBytes, end: number): Buffer {
  const last = held.slice(end - 2, end);
  if (last[0] === CR && last[1] === LF) return last;
  return last[1] === CR || last[1] === LF ? last.subarray(1) : last.subarray(2);
}

function writeAsOneLine(data: Buffer, to: Buffer, at: number): number {
  data.copy(to, at);
  const end = at + data.length;
  if (data.includes(LF)) for (let i = at; i < end; i += 1) if (to[i] === LF) to[i] = SPACE;
  return end;
}
