import { MessageFilter } from './message-filter.ts';
import { type Filtered, type ListFilter, type ListFilterOptions, STEP } from './options.ts';

const NOTHING: Filtered = { bytes: Buffer.alloc(0) };

/** Bytes that may wait for a decision: an entry, and the white space before it. */
const MAX_HELD = 2 * 1024 * 1024;

/**
 * Cuts list entries that are not allowed from a JSON-RPC body as it arrives. Everything else passes byte for byte,
 * but the end of a message that is not awaited: without it, no client reads one.
 */
export class JsonListFilter implements ListFilter {
  readonly #filter: MessageFilter;

  constructor(options: ListFilterOptions) {
    this.#filter = new MessageFilter(options);
  }

  get held(): number {
    return this.#filter.held;
  }

  append(chunk: Buffer): void {
    this.#filter.append(chunk);
  }

  read(): boolean {
    return this.#filter.read(STEP);
  }

  take(): Filtered {
    const { fault, undecided } = this.#filter;
    if (fault !== undefined) return { ...NOTHING, fault };
    if (undecided > MAX_HELD) return { ...NOTHING, fault: 'entry_too_large' };
    return { bytes: this.#filter.take() };
  }

  end(): Filtered {
    this.#filter.end();
    const { fault } = this.#filter;
    return fault === undefined ? NOTHING : { ...NOTHING, fault };
  }
}
