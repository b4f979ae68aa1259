import { HeldBytes } from '../held-bytes.ts';
import { JsonScanner } from '../json/scanner.ts';
import { ListReader } from './list-reader.ts';
import { mayBeJson } from './may-be-json.ts';
import type { ListFault, ListFilterOptions } from './options.ts';

/** The data of one event, as its lines arrive. */
export class EventData {
  readonly #held = new HeldBytes();
  readonly #reader: ListReader;
  readonly #scanner: JsonScanner;
  readonly #options: ListFilterOptions;
  #isJson: boolean | undefined;
  #fault: ListFault | undefined;

  constructor(options: ListFilterOptions) {
    this.#options = options;
    this.#reader = new ListReader(this.#held, options);
    this.#scanner = new JsonScanner(this.#reader);
  }

  /** Bytes that are held: lines of data are not beside each other in the event. */
  get held(): number {
    return this.#held.end - this.#held.start;
  }

  append(part: Buffer): ListFault | undefined {
    this.#isJson ??= mayBeJson(part);
    if (this.#isJson === false || this.#fault !== undefined) return this.#fault;
    this.#held.append(part);
    this.#fault = this.#scanner.feed(part) ? this.#reader.fault : this.#unreadable();
    return this.#fault;
  }

  /** @returns the data after the cuts; undefined if nothing was cut */
  end(): Buffer | ListFault | undefined {
    if (this.#isJson !== true) return undefined;
    if (this.#fault === undefined && !this.#scanner.end()) this.#fault = this.#unreadable();
    if (this.#fault !== undefined) return this.#fault;
    const edits = this.#reader.takeEdits();
    return edits.length === 0 ? undefined : this.#held.take(this.#held.end, edits);
  }

  /** Where lists are filtered, nothing may follow; otherwise only this event is left out. */
  #unreadable(): ListFault {
    if (this.#options.allows !== undefined) return 'unreadable';
    this.#options.messages?.noteUnreadable();
    return 'dropped';
  }
}
