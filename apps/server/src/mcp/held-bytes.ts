import type { Edit } from './json/edit.ts';

const EMPTY = Buffer.alloc(0);

/**
 * The bytes of a stream that have arrived and not been sent. Positions count from the beginning of the
 * stream. Appending is linear even for single bytes, and bytes that were taken are never overwritten.
 */
export class HeldBytes {
  #buffer: Buffer = EMPTY;
  /** Indexes into the buffer. */
  #from = 0;
  #to = 0;
  /** Whether the buffer is ours and may have room after the last byte; a chunk belongs to others. */
  #isOwn = false;
  /** The position of the byte at index 0. */
  #base = 0;

  /** The position of the first byte that is held. */
  get start(): number {
    return this.#base + this.#from;
  }

  /** The position after the last byte that is held. */
  get end(): number {
    return this.#base + this.#to;
  }

  /** The buffer with the held bytes, and the position of its first byte. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  get base(): number {
    return this.#base;
  }

  append(chunk: Buffer): void {
    const held = this.#to - this.#from;
    if (held === 0) {
      this.#adopt(chunk, 0, chunk.length, false);
      return;
    }
    if (!this.#isOwn || this.#buffer.length - this.#to < chunk.length) {
      const size = held + chunk.length;
      // Leave room for more only if copying the held bytes costs more than the chunk.
      const larger = Buffer.allocUnsafe(held < chunk.length ? size : 2 * size);
      this.#buffer.copy(larger, 0, this.#from, this.#to);
      this.#adopt(larger, 0, held, true);
    }
    chunk.copy(this.#buffer, this.#to);
    this.#to += chunk.length;
  }

  slice(start: number, end: number): Buffer {
    return this.#buffer.subarray(start - this.#base, end - this.#base);
  }

  /**
   * Takes the bytes up to a position, changed as the edits say.
   *
   * @param edits in order, without overlaps, and all before `end`
   */
  take(end: number, edits: readonly Edit[] = []): Buffer {
    const from = this.#from;
    this.#from = end - this.#base;
    if (edits.length === 0) return this.#buffer.subarray(from, this.#from);
    const size = edits.reduce(
      (sum, edit) => sum - (edit.end - edit.start) + edit.replacement.length,
      this.#from - from,
    );
    const taken = Buffer.allocUnsafe(size);
    let [read, written] = [from, 0];
    for (const edit of edits) {
      written = copy(this.#buffer, read, edit.start - this.#base, taken, written);
      written = copy(edit.replacement, 0, edit.replacement.length, taken, written);
      read = edit.end - this.#base;
    }
    copy(this.#buffer, read, this.#from, taken, written);
    return taken;
  }

  #adopt(buffer: Buffer, from: number, to: number, isOwn: boolean): void {
    this.#base = this.start;
    this.#buffer = buffer;
    this.#from = from;
    this.#to = to;
    this.#isOwn = isOwn;
  }
}

/** Bytes that are copied one by one: a call of `Buffer.copy` costs as much as a hundred. */
const FEW = 64;

/** Copies bytes. @returns the index after the last one written */
export function copy(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  if (end - start > FEW) return at + from.copy(to, at, start, end);
  for (let i = start; i < end; i += 1) to[at + i - start] = from[i] as number;
  return at + end - start;
}
