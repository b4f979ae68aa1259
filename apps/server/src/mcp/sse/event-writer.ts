/** Where an event stream goes: the response to a client. */
export interface EventSink {
  /** The client has more than it takes at the moment. */
  readonly isFull: boolean;
  /** Returns false if the client has not taken what was sent before. */
  write(part: Buffer | string): boolean;
}

export interface EventWriterOptions {
  /** Milliseconds of silence before a comment. */
  readonly keepAlive: number;
  /** All of its events are ours. Otherwise no comment comes before the first bytes of the upstream. */
  readonly isOwn: boolean;
  /** Our events may come before the first bytes of the upstream. */
  readonly mayBegin: boolean;
}

export const KEEP_ALIVE = ': keep-alive\n\n';

const BETWEEN = '\n\n';

/**
 * Writes an event stream: bytes of an upstream that pass unread, and our own events and comments between two of its events.
 * Of what passes, it looks at the last three bytes of each chunk.
 */
export class EventWriter {
  readonly #sink: EventSink;
  readonly #options: EventWriterOptions;
  /** The last bytes of the stream. */
  #tail: string;
  #lastSentAt = performance.now();
  /** Our events that wait until the stream is between two events. */
  #inserted: Set<string> | undefined;

  constructor(sink: EventSink, options: EventWriterOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#tail = options.isOwn ? BETWEEN : '';
  }

  /** Something that is written now would become a part of an event. */
  get isWithinEvent(): boolean {
    return this.#tail !== '' && !this.#isBetweenEvents;
  }

  /** After the blank line that ends an event or a comment. Lines that end with CR alone are not recognized. */
  get #isBetweenEvents(): boolean {
    return /\n\r?\n$/.test(this.#tail);
  }

  /** Passes on a chunk that may end anywhere. Returns false if the client has not taken what was sent before. */
  pass(chunk: Buffer): boolean {
    const end = chunk.toString('latin1', Math.max(0, chunk.length - 3));
    this.#tail = (this.#tail + end).slice(-3);
    this.#lastSentAt = performance.now();
    const isFlowing = this.#sink.write(chunk);
    this.#sendInserted();
    return isFlowing;
  }

  /** Sends whole events at once. Returns false if the client has not taken what was sent before. */
  send(events: Buffer | string): boolean {
    this.#lastSentAt = performance.now();
    return this.#sink.write(events);
  }

  /** Sends an event once, as soon as the stream is between two events. */
  insert(event: string): void {
    this.#inserted ??= new Set();
    this.#inserted.add(event);
    this.#sendInserted();
  }

  /** @param now by the clock of `performance` */
  keepAlive(now: number): void {
    this.#sendInserted();
    if (now - this.#lastSentAt < this.#options.keepAlive) return;
    if (!this.#isBetweenEvents || this.#sink.isFull) return;
    this.#lastSentAt = now;
    this.#sink.write(KEEP_ALIVE);
  }

  #sendInserted(): void {
    if (this.#inserted === undefined || this.#sink.isFull) return;
    const isBefore = this.#tail === '' && this.#options.mayBegin;
    if (!isBefore && !this.#isBetweenEvents) return;
    for (const event of this.#inserted) this.#sink.write(event);
    this.#inserted = undefined;
  }
}
