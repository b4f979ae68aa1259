import { HeldBytes } from '../held-bytes.ts';
import { MAX_EVENT } from '../sse/event-reader.ts';
import { type Line, type LineHandler, type LineKind, LineReader } from '../sse/line-reader.ts';
import { SeenLines } from '../sse/seen-lines.ts';
import { EventLayout } from './event-layout.ts';
import { MessageFilter } from './message-filter.ts';
import {
  type Filtered,
  type ListFault,
  type ListFilter,
  type ListFilterOptions,
  STEP,
} from './options.ts';

const LINE_BREAK = Buffer.from('\n');
const [OPEN_BRACE, OPEN_BRACKET] = Buffer.from('{[');

/**
 * Leaves out messages that are not awaited from an event stream, and cuts list entries that are not allowed. An event
 * is held until its end, and passes byte for byte if nothing in it is cut.
 */
export class EventListFilter implements ListFilter, LineHandler {
  readonly #options: ListFilterOptions;
  readonly #raw = new HeldBytes();
  readonly #lines = new LineReader(this);
  readonly #hidden = new SeenLines('data', true);
  /** The first byte of the line, if it sets a field without a meaning. */
  #firstByte: number | undefined;
  /** Reads the data of the event that has not ended: its lines are not beside each other in the event. */
  #data: MessageFilter | undefined;
  #layout = new EventLayout();
  /** Events that can be sent. */
  #ready: Buffer[] = [];
  #fault: ListFault | undefined;

  constructor(options: ListFilterOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#raw.end - this.#raw.start + (this.#data?.held ?? 0);
  }

  append(chunk: Buffer): void {
    this.#raw.append(chunk);
  }

  read(): boolean {
    const { position } = this.#lines;
    const { end } = this.#raw;
    this.#lines.feed(this.#raw.slice(position, Math.min(position + STEP, end)));
    return this.#lines.position < end;
  }

  take(): Filtered {
    if (this.#lines.position - this.#raw.start > MAX_EVENT) this.#note('event_too_large');
    const [only, ...others] = this.#ready;
    const bytes = only && others.length === 0 ? only : Buffer.concat(this.#ready);
    this.#ready = [];
    return this.#fault === undefined ? { bytes } : { bytes, fault: this.#fault };
  }

  /** The stream has ended. Some clients accept a last event without its blank line. */
  end(): Filtered {
    this.#lines.end();
    const { start, end } = this.#raw;
    if (end > start && this.#fault === undefined) this.#endEvent(end);
    return this.take();
  }

  beginLine(kind: LineKind): void {
    this.#hidden.startLine();
    this.#firstByte = undefined;
    if (kind !== 'data') return;
    if (this.#data !== undefined) this.#addData(LINE_BREAK);
    this.#data ??= new MessageFilter(this.#options);
  }

  addToLine(kind: LineKind, part: Buffer): void {
    this.#hidden.feed(part);
    if (kind === 'data' ? this.#hidden.isFound : this.#hidden.hasLineEnd) this.#note('unreadable');
    if (kind === 'data') this.#addData(part);
    else if (kind === 'other') this.#firstByte ??= part[0];
  }

  endLine({ kind, start, end, endsEvent }: Line): void {
    // Some client may take a line of JSON for a message.
    const mayBeMessage = this.#firstByte === OPEN_BRACE || this.#firstByte === OPEN_BRACKET;
    if (kind === 'other' && mayBeMessage) this.#note('unreadable');
    if (this.#fault !== undefined) return;
    if (kind === 'data') this.#layout.addData(end);
    else this.#layout.addOther(start, end);
    if (endsEvent) this.#endEvent(end);
  }

  #addData(part: Buffer): void {
    const data = this.#data;
    if (this.#fault !== undefined || data === undefined || data.fault !== undefined) return;
    data.append(part);
    data.read(part.length);
    if (!this.#canPass(data) && !this.#isLeftOut(data)) this.#note(data.fault);
  }

  #endEvent(end: number): void {
    const data = this.#data;
    const layout = this.#layout;
    this.#data = undefined;
    this.#layout = new EventLayout();
    data?.end();
    if (data === undefined || this.#canPass(data)) {
      // An event passes as it came where nothing in it is cut.
      const event = data?.hasEdits ? layout.rewritten(this.#raw, end, data.take()) : undefined;
      const bytes = this.#raw.take(end);
      this.#ready.push(event ?? bytes);
    } else if (this.#isLeftOut(data)) {
      if (data.fault === 'unreadable') this.#options.messages?.noteUnreadable();
      this.#raw.take(end);
    } else this.#note(data.fault);
  }

  /** Also data that cannot be a message passes: it may be the address in an `endpoint` event. */
  #canPass({ fault, isOther }: MessageFilter): boolean {
    return fault === undefined || isOther;
  }

  /** Where lists are filtered, nothing may follow what cannot be read; otherwise only its event is left out. */
  #isLeftOut({ fault }: MessageFilter): boolean {
    return fault === 'dropped' || (fault === 'unreadable' && this.#options.allows === undefined);
  }

  #note(fault: ListFault | undefined): void {
    this.#fault ??= fault;
  }
}
