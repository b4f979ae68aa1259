import type { Shape } from '../json/shape.ts';
import { type Line, type LineKind, LineReader } from '../sse/line-reader.ts';
import { MessageReader, type ReadMessage } from './message-reader.ts';

const LF = Buffer.from('\n');

/** Bytes of a line that names an event or a time. */
const MAX_FIELD = 1024;

/** An id that a header can carry, a character for each byte (RFC 9110 section 5.5). */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** What the events of a stream hold. */
export interface EventTaker {
  /** The message of an event. One that cannot be read is left out. */
  message(message: ReadMessage): void;
  comment(): void;
}

/** Reads the messages of an event stream as it arrives. */
export class EventMessages {
  readonly #shape: Shape;
  readonly #taker: EventTaker;
  readonly #lines = new LineReader({
    beginLine: (kind) => this.#beginLine(kind),
    addToLine: (kind, part) => this.#addToLine(kind, part),
    endLine: (line) => this.#endLine(line),
  });
  #reader: MessageReader;
  #hasData = false;
  #field = '';
  #lastEventId: string | undefined;
  #retry: number | undefined;

  /** @param shape of each message */
  constructor(shape: Shape, taker: EventTaker) {
    this.#shape = shape;
    this.#taker = taker;
    this.#reader = new MessageReader(shape);
  }

  /** Bytes of the event that has not ended. */
  get size(): number {
    return this.#reader.size;
  }

  /** With which the stream can be resumed. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** Milliseconds after which it should be, if the stream says that. */
  get retry(): number | undefined {
    return this.#retry;
  }

  feed(chunk: Buffer): void {
    this.#lines.feed(chunk);
  }

  #beginLine(kind: LineKind): void {
    if (kind !== 'data') return;
    if (this.#hasData) this.#reader.feed(LF);
    this.#hasData = true;
  }

  #addToLine(kind: LineKind, part: Buffer): void {
    if (kind === 'data') this.#reader.feed(part);
    else if (this.#field.length + part.length <= MAX_FIELD) this.#field += part.toString('latin1');
  }

  #endLine({ kind }: Line): void {
    const field = this.#field;
    this.#field = '';
    if (kind === 'id' && SENDABLE.test(field)) this.#lastEventId = field;
    else if (kind === 'retry' && /^\d{1,9}$/.test(field)) this.#retry = Number(field);
    else if (kind === 'comment') this.#taker.comment();
    else if (kind === 'blank') this.#endEvent();
  }

  #endEvent(): void {
    const message = this.#reader.end();
    this.#reader = new MessageReader(this.#shape);
    this.#hasData = false;
    if (message !== undefined) this.#taker.message(message);
  }
}
