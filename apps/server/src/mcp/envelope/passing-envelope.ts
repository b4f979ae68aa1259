import { JsonScanner } from '../json/scanner.ts';
import type { Envelope, Unreadable } from './message.ts';
import { PassingUtf8 } from './passing-utf8.ts';
import { NO_JSON, NO_UTF8, unreadable } from './read-envelope.ts';
import { EnvelopeReader, MAX_TEXT } from './reader.ts';

const EMPTY = Buffer.alloc(0);

/** Bytes that are kept of a key or value that comes in pieces: a text of the longest length, in its quotes. */
const MAX_KEPT = MAX_TEXT + 2;

const TOO_LONG = unreadable('A key or text of the body is longer than 16 KiB.');

/**
 * Reads the envelope of a body as its bytes pass, and keeps only the beginning of the key or value that has not ended.
 * Unlike with `readEnvelope`, a key or text of more than 16 KiB makes the body unreadable.
 */
export class PassingEnvelope {
  readonly #reader = new EnvelopeReader();
  readonly #scanner = new JsonScanner(this.#reader);
  readonly #utf8 = new PassingUtf8();
  #kept: Buffer = EMPTY;
  #fault: Unreadable | undefined;

  feed(chunk: Buffer): void {
    if (this.#fault !== undefined) return;
    const scanner = this.#scanner;
    const base = scanner.position - this.#kept.length;
    const bytes = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#reader.look(bytes, base);
    const isJson = scanner.feed(chunk);
    const needed = Math.min(scanner.openKey, this.#reader.openText, scanner.position);
    if (!this.#utf8.feed(chunk)) this.#fault = NO_UTF8;
    else if (!isJson) this.#fault = NO_JSON;
    else if (scanner.position - needed > MAX_KEPT) this.#fault = TOO_LONG;
    // A copy: the chunk need not stay.
    this.#kept = this.#fault === undefined ? Buffer.from(bytes.subarray(needed - base)) : EMPTY;
  }

  /** As far as the body has been read. */
  get fault(): Unreadable | undefined {
    if (this.#fault !== undefined) return this.#fault;
    const { envelope } = this.#reader;
    return envelope.kind === 'unreadable' ? envelope : undefined;
  }

  /** Once the body has ended. */
  get envelope(): Envelope {
    return this.#fault ?? (this.#scanner.end() ? this.#reader.envelope : NO_JSON);
  }
}
