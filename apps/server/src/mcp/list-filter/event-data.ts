import { JsonScanner } from '../json/scanner.ts';
import { HeldBytes } from './held-bytes.ts';
import { ListReader } from './list-reader.ts';
import { mayBeJson } from './may-be-json.ts';
import type { ListFault, ListFilterOptions } from './options.ts';

/** The data of one event, as its lines arrive. */
export class EventData {
  readonly #held = new HeldBytes();
  readonly #reader: ListReader;
  readonly #scanner: JsonScanner;
  #isJson: boolean | undefined;

  constructor(options: ListFilterOptions) {
    this.#reader = new ListReader(this.#held, options);
    this.#scanner = new JsonScanner(this.#reader);
  }

  /** Bytes that are held: lines of data are not beside each other in the event. */
  get held(): number {
    return this.#held.end - this.#held.start;
  }

  append(part: Buffer): ListFault | undefined {
    this.#isJson ??= mayBeJson(part);
    if (this.#isJson === false) return undefined;
    this.#held.append(part);
    return this.#scanner.feed(part) ? this.#reader.fault : 'unreadable';
  }

  /** @returns the data after the cuts; undefined if nothing was cut */
  end(): Buffer | ListFault | undefined {
    if (this.#isJson !== true) return undefined;
    if (!this.#scanner.end()) return 'unreadable';
    const edits = this.#reader.takeEdits();
    return edits.length === 0 ? undefined : this.#held.take(this.#held.end, edits);
  }
}
