import { HeldBytes } from '../held-bytes.ts';
import { mayBeJson } from './may-be-json.ts';
import { MessageFilter } from './message-filter.ts';
import {
  type Filtered,
  type ListFault,
  type ListFilter,
  type ListFilterOptions,
  STEP,
} from './options.ts';

const NOTHING: Filtered = { bytes: Buffer.alloc(0) };

/** Bytes that may wait for a decision: an entry, and the white space before it. */
const MAX_HELD = 2 * 1024 * 1024;

/**
 * Cuts list entries that are not allowed from a JSON-RPC body as it arrives. Everything else passes byte for byte,
 * but the end of a message that is not awaited: without it, no client reads one.
 */
export class JsonListFilter implements ListFilter {
  readonly #held = new HeldBytes();
  readonly #filter: MessageFilter;
  #isJson: boolean | undefined;
  #fault: ListFault | undefined;

  constructor(options: ListFilterOptions) {
    this.#filter = new MessageFilter(this.#held, options);
  }

  get held(): number {
    return this.#held.end - this.#held.start;
  }

  append(chunk: Buffer): void {
    this.#held.append(chunk);
  }

  read(): boolean {
    const { position } = this.#filter;
    const { end } = this.#held;
    const step = this.#held.slice(position, Math.min(position + STEP, end));
    this.#isJson ??= mayBeJson(step);
    this.#fault = this.#isJson === false ? 'unreadable' : this.#filter.feed(step);
    return this.#fault === undefined && this.#filter.position < end;
  }

  take(): Filtered {
    if (this.#fault !== undefined) return { ...NOTHING, fault: this.#fault };
    const { position, undecided } = this.#filter;
    if (position - undecided > MAX_HELD) return { ...NOTHING, fault: 'entry_too_large' };
    return { bytes: this.#held.take(undecided, this.#filter.takeEdits()) };
  }

  end(): Filtered {
    const fault = this.#isJson === true ? this.#filter.end() : undefined;
    return fault === undefined ? NOTHING : { ...NOTHING, fault };
  }
}
