import { EventData } from './event-data.ts';
import { EventLineScanner, type EventLines } from './event-lines.ts';
import { HeldBytes } from './held-bytes.ts';
import type { Filtered, ListFault, ListFilterOptions } from './options.ts';
import { rewriteEvent } from './rewrite-event.ts';

/** Bytes of an event. */
const MAX_EVENT = 16 * 1024 * 1024;

const LINE_BREAK = Buffer.from('\n');

/**
 * Cuts the entries of lists that are not allowed from the messages of an event stream. An event is held
 * until its end, and passes byte for byte if nothing in it is cut.
 */
export class EventListFilter {
  readonly #event: PendingEvent;
  readonly #scanner: EventLineScanner;

  constructor(options: ListFilterOptions) {
    this.#event = new PendingEvent(options);
    this.#scanner = new EventLineScanner(this.#event);
  }

  /** @param chunk at most 64 KiB, so that the time for it is short */
  feed(chunk: Buffer): Filtered {
    this.#event.append(chunk);
    this.#scanner.feed(chunk);
    return this.#event.takeReady();
  }

  /** The stream has ended. An event without its blank line counts for some clients. */
  end(): Filtered {
    this.#event.endLast();
    return this.#event.takeReady();
  }
}

/** The event that has not ended, and those before it that are ready. */
class PendingEvent implements EventLines {
  readonly #options: ListFilterOptions;
  readonly #raw = new HeldBytes();
  #ready: Buffer[] = [];
  #data: EventData | undefined;
  #hasField = false;
  #fault: ListFault | undefined;

  constructor(options: ListFilterOptions) {
    this.#options = options;
  }

  append(chunk: Buffer): void {
    this.#raw.append(chunk);
  }

  takeReady(): Filtered {
    if (this.#raw.end - this.#raw.start > MAX_EVENT) this.#note('event_too_large');
    const [only, ...others] = this.#ready;
    const bytes = only && others.length === 0 ? only : Buffer.concat(this.#ready);
    this.#ready = [];
    return this.#fault === undefined ? { bytes } : { bytes, fault: this.#fault };
  }

  beginField(): void {
    this.#hasField = true;
  }

  beginData(): void {
    if (this.#data !== undefined) this.data(LINE_BREAK);
    this.#data ??= new EventData(this.#options);
  }

  data(part: Buffer): void {
    if (this.#fault === undefined) this.#note(this.#data?.append(part));
  }

  endComment(end: number): void {
    if (!this.#hasField && this.#fault === undefined) this.#ready.push(this.#raw.take(end));
  }

  endEvent(end: number): void {
    const data = this.#fault === undefined ? this.#data?.end() : undefined;
    if (typeof data === 'string') this.#note(data);
    if (this.#fault !== undefined) return;
    const event = this.#raw.take(end);
    this.#ready.push(typeof data === 'object' ? rewriteEvent(event, data) : event);
    this.#data = undefined;
    this.#hasField = false;
  }

  endLast(): void {
    if (this.#raw.end > this.#raw.start) this.endEvent(this.#raw.end);
  }

  #note(fault: ListFault | undefined): void {
    this.#fault ??= fault;
  }
}
