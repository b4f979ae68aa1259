import { HeldBytes } from '../held-bytes.ts';
import { mayBeJson } from './may-be-json.ts';
import { MessageFilter } from './message-filter.ts';
import type { ListFault, ListFilterOptions } from './options.ts';

/** The data of one event, as its lines arrive. */
export class EventData {
  readonly #held = new HeldBytes();
  readonly #filter: MessageFilter;
  readonly #options: ListFilterOptions;
  #isJson: boolean | undefined;
  #fault: ListFault | undefined;

  constructor(options: ListFilterOptions) {
    this.#options = options;
    this.#filter = new MessageFilter(this.#held, options);
  }

  /** Bytes that are held: lines of data are not beside each other in the event. */
  get held(): number {
    return this.#held.end - this.#held.start;
  }

  append(part: Buffer): ListFault | undefined {
    this.#isJson ??= mayBeJson(part);
    if (this.#isJson === false || this.#fault !== undefined) return this.#fault;
    this.#held.append(part);
    this.#fault = this.#faultOf(this.#filter.feed(part));
    return this.#fault;
  }

  /** @returns the data after the cuts; undefined if nothing was cut */
  end(): Buffer | ListFault | undefined {
    if (this.#isJson !== true) return undefined;
    this.#fault ??= this.#faultOf(this.#filter.end());
    if (this.#fault !== undefined) return this.#fault;
    const edits = this.#filter.takeEdits();
    return edits.length === 0 ? undefined : this.#held.take(this.#held.end, edits);
  }

  /** Where lists are filtered, nothing may follow what cannot be read; otherwise only this event is left out. */
  #faultOf(fault: ListFault | undefined): ListFault | undefined {
    if (fault !== 'unreadable' || this.#options.allows !== undefined) return fault;
    this.#options.messages?.noteUnreadable();
    return 'dropped';
  }
}
