import { JsonScanner } from '../json/scanner.ts';
import type { Envelope } from './message.ts';
import { NO_JSON } from './read-envelope.ts';
import { EnvelopeReader, MAX_TEXT } from './reader.ts';

const EMPTY = Buffer.alloc(0);

/** Bytes that are kept of a key or value that comes in pieces: a text of the longest length, in its quotes. */
const MAX_KEPT = MAX_TEXT + 2;

/**
 * Reads the envelope of a body as its bytes pass, and keeps only the beginning of the key or value that has not ended.
 * Unlike `readEnvelope` it does not check the encoding, and a key or text of more than 16 KiB makes the body unreadable.
 */
export class PassingEnvelope {
  readonly #reader = new EnvelopeReader();
  readonly #scanner = new JsonScanner(this.#reader);
  #kept: Buffer = EMPTY;
  #isReadable = true;

  feed(chunk: Buffer): void {
    if (!this.#isReadable) return;
    const scanner = this.#scanner;
    const base = scanner.position - this.#kept.length;
    const bytes = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#reader.look(bytes, base);
    const isJson = scanner.feed(chunk);
    const needed = Math.min(scanner.openKey, this.#reader.openText, scanner.position);
    this.#isReadable = isJson && scanner.position - needed <= MAX_KEPT;
    // A copy: the chunk need not stay.
    this.#kept = this.#isReadable ? Buffer.from(bytes.subarray(needed - base)) : EMPTY;
  }

  /** Once the body has ended. */
  get envelope(): Envelope {
    return this.#isReadable && this.#scanner.end() ? this.#reader.envelope : NO_JSON;
  }
}
