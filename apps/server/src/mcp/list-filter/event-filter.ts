import { EventData } from './event-data.ts';
import { EventLayout } from './event-layout.ts';
import { EventLineScanner, type EventLines, type LineKind } from './event-lines.ts';
import { HeldBytes } from './held-bytes.ts';
import { HiddenLines } from './hidden-lines.ts';
import {
  type Filtered,
  type ListFault,
  type ListFilter,
  type ListFilterOptions,
  STEP,
} from './options.ts';

/** Bytes of an event. */
const MAX_EVENT = 16 * 1024 * 1024;

const LINE_BREAK = Buffer.from('\n');
const [OPEN_BRACE, OPEN_BRACKET] = Buffer.from('{[');

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

/**
 * Leaves out messages that are not awaited from an event stream, and cuts list entries that are not allowed. An event
 * is held until its end, and passes byte for byte if nothing in it is cut.
 */
export class EventListFilter implements ListFilter {
  readonly #raw = new HeldBytes();
  readonly #event: PendingEvent;
  readonly #scanner: EventLineScanner;

  constructor(options: ListFilterOptions) {
    this.#event = new PendingEvent(this.#raw, options);
    this.#scanner = new EventLineScanner(this.#event);
  }

  get held(): number {
    return this.#raw.end - this.#raw.start + this.#event.held;
  }

  append(chunk: Buffer): void {
    this.#raw.append(chunk);
  }

  read(): boolean {
    const { position } = this.#scanner;
    const { end } = this.#raw;
    this.#scanner.feed(this.#raw.slice(position, Math.min(position + STEP, end)));
    return this.#scanner.position < end;
  }

  take(): Filtered {
    return this.#event.takeReady(this.#scanner.position);
  }

  /** The stream has ended. Some clients accept a last event without its blank line. */
  end(): Filtered {
    this.#scanner.end();
    this.#event.endLast();
    return this.take();
  }
}

/** The event that has not ended, and those before it that can be sent. */
class PendingEvent implements EventLines {
  readonly #raw: HeldBytes;
  readonly #options: ListFilterOptions;
  #ready: Buffer[] = [];
  #data: EventData | undefined;
  #layout = new EventLayout();
  readonly #hidden = new HiddenLines();
  #hasField = false;
  /** The first byte of a line that is no data. */
  #firstByte: number | undefined;
  #lineStart = 0;
  #fault: ListFault | undefined;

  constructor(raw: HeldBytes, options: ListFilterOptions) {
    this.#raw = raw;
    this.#options = options;
  }

  /** Bytes of the copy of its data. */
  get held(): number {
    return this.#data?.held ?? 0;
  }

  /** @param position up to which the stream has been read */
  takeReady(position: number): Filtered {
    if (position - this.#raw.start > MAX_EVENT) this.#note('event_too_large');
    const [only, ...others] = this.#ready;
    const bytes = only && others.length === 0 ? only : Buffer.concat(this.#ready);
    this.#ready = [];
    return this.#fault === undefined ? { bytes } : { bytes, fault: this.#fault };
  }

  beginData(): void {
    if (this.#data !== undefined) this.#append(LINE_BREAK);
    this.#data ??= new EventData(this.#options);
  }

  data(part: Buffer): void {
    this.#hidden.feed(part);
    if (this.#hidden.hasData) this.#note('unreadable');
    this.#append(part);
  }

  other(part: Buffer): void {
    this.#firstByte ??= part[0];
    this.#hidden.feed(part);
    if (this.#hidden.hasLineEnd) this.#note('unreadable');
  }

  endLine(kind: LineKind, end: number): void {
    const start = this.#lineStart;
    this.#lineStart = end;
    this.#hidden.startLine();
    // Some client may take a line of JSON for a message.
    if (kind === 'field' && isOpening(this.#firstByte)) this.#note('unreadable');
    this.#firstByte = undefined;
    if (this.#fault !== undefined) return;
    if (kind === 'data') this.#layout.addData(end);
    else this.#layout.addOther(start, end);
    this.#hasField ||= kind === 'data' || kind === 'field';
    // A comment before any field keeps the connection alive, so it is sent at once.
    if (kind === 'blank' || !this.#hasField) this.#endEvent(end);
  }

  endLast(): void {
    const { start, end } = this.#raw;
    if (end > start && this.#fault === undefined) this.#endEvent(end);
  }

  #append(part: Buffer): void {
    if (this.#fault !== undefined) return;
    const fault = this.#data?.append(part);
    if (fault !== 'dropped') this.#note(fault);
  }

  #endEvent(end: number): void {
    const data = this.#data?.end();
    if (data === 'dropped') this.#raw.take(end);
    else if (typeof data === 'string') this.#note(data);
    else this.#send(end, data);
    this.#data = undefined;
    this.#layout = new EventLayout();
    this.#hasField = false;
  }

  /** @param data undefined if the event passes as it came */
  #send(end: number, data: Buffer | undefined): void {
    const event = data && this.#layout.rewritten(this.#raw, end, data);
    const bytes = this.#raw.take(end);
    this.#ready.push(event ?? bytes);
  }

  #note(fault: ListFault | undefined): void {
    this.#fault ??= fault;
  }
}
