/**
 * Follows an event stream that passes unread, far enough to insert something between two events. It looks at the last three
 * bytes of a chunk alone.
 */
export class EventBoundary {
  /** The last bytes of the stream. */
  #tail = '';

  /** Nothing has been sent yet. */
  get isAtStart(): boolean {
    return this.#tail === '';
  }

  /** After the blank line that ends an event or a comment. Lines that end with CR alone are not recognized. */
  get isBetweenEvents(): boolean {
    return /\n\r?\n$/.test(this.#tail);
  }

  feed(chunk: Buffer): void {
    const end = chunk.toString('latin1', Math.max(0, chunk.length - 3));
    this.#tail = (this.#tail + end).slice(-3);
  }
}
