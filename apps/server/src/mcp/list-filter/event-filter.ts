import { HeldBytes } from '../held-bytes.ts';
import { MAX_EVENT } from '../sse/event-reader.ts';
import { type Line, type LineKind, LineReader } from '../sse/line-reader.ts';
import { SeenLines } from '../sse/seen-lines.ts';
import { EventData } from './event-data.ts';
import { EventLayout } from './event-layout.ts';
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
export class EventListFilter implements ListFilter {
  readonly #options: ListFilterOptions;
  readonly #raw = new HeldBytes();
  readonly #lines = new LineReader({
    beginLine: (kind) => this.#beginLine(kind),
    addToLine: (kind, part) => this.#addToLine(kind, part),
    endLine: (line) => this.#endLine(line),
  });
  readonly #hidden = new SeenLines('data', true);
  /** The first byte of the line, if it sets a field without a meaning. */
  #firstByte: number | undefined;
  /** Of the event that has not ended. */
  #data: EventData | undefined;
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

  #beginLine(kind: LineKind): void {
    this.#hidden.startLine();
    this.#firstByte = undefined;
    if (kind !== 'data') return;
    if (this.#data !== undefined) this.#addData(LINE_BREAK);
    this.#data ??= new EventData(this.#options);
  }

  #addToLine(kind: LineKind, part: Buffer): void {
    this.#hidden.feed(part);
    if (kind === 'data' ? this.#hidden.isFound : this.#hidden.hasLineEnd) this.#note('unreadable');
    if (kind === 'data') this.#addData(part);
    else if (kind === 'other') this.#firstByte ??= part[0];
  }

  #endLine({ kind, start, end, endsEvent }: Line): void {
    // Some client may take a line of JSON for a message.
    const mayBeMessage = this.#firstByte === OPEN_BRACE || this.#firstByte === OPEN_BRACKET;
    if (kind === 'other' && mayBeMessage) this.#note('unreadable');
    if (this.#fault !== undefined) return;
    if (kind === 'data') this.#layout.addData(end);
    else this.#layout.addOther(start, end);
    if (endsEvent) this.#endEvent(end);
  }

  #addData(part: Buffer): void {
    if (this.#fault !== undefined) return;
    const fault = this.#data?.append(part);
    if (fault !== 'dropped') this.#note(fault);
  }

  #endEvent(end: number): void {
    const data = this.#data?.end();
    // Undefined where the event passes as it came.
    const event = data instanceof Buffer ? this.#layout.rewritten(this.#raw, end, data) : undefined;
    this.#data = undefined;
    this.#layout = new EventLayout();
    if (data === 'dropped') this.#raw.take(end);
    else if (typeof data === 'string') this.#note(data);
    else {
      const bytes = this.#raw.take(end);
      this.#ready.push(event ?? bytes);
    }
  }

  #note(fault: ListFault | undefined): void {
    this.#fault ??= fault;
  }
}
