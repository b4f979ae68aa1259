import { EventLineScanner, type EventLines, type LineKind } from '../list-filter/event-lines.ts';
import type { Place } from './members.ts';
import { MessageReader, type ReadMessage } from './message-reader.ts';

const LF = Buffer.from('\n');

/** Bytes of a line that names an event or a time. */
const MAX_FIELD = 1024;

const FIELD = /^(id|retry): ?([\x20-\x7e]*)/;

/** What the events of a stream hold. */
export interface EventTaker {
  /** The message of an event. One that cannot be read is left out. */
  message(message: ReadMessage): void;
  comment(): void;
}

/** Reads the messages of an event stream as it arrives. */
export class EventMessages {
  readonly #place: Place;
  readonly #taker: EventTaker;
  readonly #scanner: EventLineScanner;
  #reader: MessageReader;
  #hasLine = false;
  #field = '';
  #lastEventId: string | undefined;
  #retry: number | undefined;

  /** @param place the top of each message */
  constructor(place: Place, taker: EventTaker) {
    this.#place = place;
    this.#taker = taker;
    this.#reader = new MessageReader(place);
    const lines: EventLines = {
      beginData: () => this.#beginLine(),
      data: (part) => this.#reader.feed(part),
      other: (part) => this.#addToField(part),
      endLine: (kind) => this.#endLine(kind),
    };
    this.#scanner = new EventLineScanner(lines);
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
    this.#scanner.feed(chunk);
  }

  #beginLine(): void {
    if (this.#hasLine) this.#reader.feed(LF);
    this.#hasLine = true;
  }

  #addToField(part: Buffer): void {
    if (this.#field.length + part.length <= MAX_FIELD) this.#field += part.toString('latin1');
  }

  #endField(): void {
    const [, name, value = ''] = FIELD.exec(this.#field) ?? [];
    if (name === 'id' && value !== '') this.#lastEventId = value;
    if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#retry = Number(value);
  }

  #endLine(kind: LineKind): void {
    if (kind === 'field') this.#endField();
    this.#field = '';
    if (kind === 'comment') this.#taker.comment();
    if (kind !== 'blank') return;
    const message = this.#reader.end();
    this.#reader = new MessageReader(this.#place);
    this.#hasLine = false;
    if (message !== undefined) this.#taker.message(message);
  }
}
