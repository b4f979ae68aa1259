import { HeldBytes } from '../held-bytes.ts';
import { JsonScanner } from '../json/scanner.ts';
import { ListReader } from './list-reader.ts';
import { mayBeJson } from './may-be-json.ts';
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
  readonly #reader: ListReader;
  readonly #scanner: JsonScanner;
  #isJson: boolean | undefined;
  #fault: ListFault | undefined;

  constructor(options: ListFilterOptions) {
    this.#reader = new ListReader(this.#held, options);
    this.#scanner = new JsonScanner(this.#reader);
  }

  get held(): number {
    return this.#held.end - this.#held.start;
  }

  append(chunk: Buffer): void {
    this.#held.append(chunk);
  }

  read(): boolean {
    const { position } = this.#scanner;
    const { end } = this.#held;
    const step = this.#held.slice(position, Math.min(position + STEP, end));
    this.#isJson ??= mayBeJson(step);
    const isJson = this.#isJson !== false && this.#scanner.feed(step);
    this.#fault = isJson ? this.#reader.fault : 'unreadable';
    return this.#fault === undefined && this.#scanner.position < end;
  }

  take(): Filtered {
    if (this.#fault !== undefined) return { ...NOTHING, fault: this.#fault };
    const { position, openKey } = this.#scanner;
    const end = Math.min(this.#reader.undecidedAt(position), openKey, position);
    if (position - end > MAX_HELD) return { ...NOTHING, fault: 'entry_too_large' };
    return { bytes: this.#held.take(end, this.#reader.takeEdits()) };
  }

  end(): Filtered {
    const isComplete = this.#isJson !== true || this.#scanner.end();
    return isComplete ? NOTHING : { ...NOTHING, fault: 'unreadable' };
  }
}
