import { JsonScanner } from '../json/scanner.ts';
import { HeldBytes } from './held-bytes.ts';
import { ListReader } from './list-reader.ts';
import { mayBeJson } from './may-be-json.ts';
import type { Filtered, ListFilterOptions } from './options.ts';

const NOTHING: Filtered = { bytes: Buffer.alloc(0) };

/** Bytes that may wait for a decision: an entry, and the white space before it. */
const MAX_HELD = 2 * 1024 * 1024;

/**
 * Cuts list entries that are not allowed from a JSON-RPC body as it arrives. Everything else passes byte for
 * byte, and so does a body that, by its first character, cannot be JSON-RPC.
 */
export class JsonListFilter {
  readonly #held = new HeldBytes();
  readonly #reader: ListReader;
  readonly #scanner: JsonScanner;
  #isJson: boolean | undefined;

  constructor(options: ListFilterOptions) {
    this.#reader = new ListReader(this.#held, options);
    this.#scanner = new JsonScanner(this.#reader);
  }

  /** @param chunk at most 64 KiB, so that the time for it is short */
  feed(chunk: Buffer): Filtered {
    this.#isJson ??= mayBeJson(chunk);
    if (this.#isJson === false) return { bytes: chunk };
    this.#held.append(chunk);
    if (!this.#scanner.feed(chunk)) return { ...NOTHING, fault: 'unreadable' };
    const { fault, undecided } = this.#reader;
    if (fault !== undefined) return { ...NOTHING, fault };
    const end = Math.min(undecided, this.#scanner.openKey, this.#held.end);
    if (this.#held.end - end > MAX_HELD) return { ...NOTHING, fault: 'entry_too_large' };
    return { bytes: this.#held.take(end, this.#reader.takeEdits()) };
  }

  /** The body has ended. */
  end(): Filtered {
    const isComplete = this.#isJson !== true || this.#scanner.end();
    return isComplete ? NOTHING : { ...NOTHING, fault: 'unreadable' };
  }
}
