import { setImmediate } from 'node:timers/promises';
import { type JsonReader, JsonScanner } from '../json/scanner.ts';
import type { Span } from './message.ts';
import { MAX_AT_ONCE, NO_JSON } from './read-envelope.ts';

const [OPEN_BRACKET, SPACE, TAB, CR, LF] = Buffer.from('[ \t\r\n');

/** Whether a body begins as a batch does, after no more white space than is read at once. */
export function isBatch(body: Buffer): boolean {
  for (const byte of body.subarray(0, MAX_AT_ONCE)) {
    if (byte !== SPACE && byte !== TAB && byte !== CR && byte !== LF) return byte === OPEN_BRACKET;
  }
  return false;
}

/**
 * The messages of a batch, each as its own bytes, which have not been read. A long body is read with pauses in which
 * other calls go on.
 *
 * @param max messages
 * @returns a string that says why it is refused
 */
export async function readBatch(body: Buffer, max: number): Promise<readonly Buffer[] | string> {
  const reader = new BatchReader(max);
  const scanner = new JsonScanner(reader);
  for (let start = 0; start < body.length; start += MAX_AT_ONCE) {
    if (start > 0) await setImmediate();
    if (!scanner.feed(body.subarray(start, start + MAX_AT_ONCE))) return NO_JSON.reason;
    if (reader.hasTooMany) return `A batch has at most ${max} messages.`;
  }
  if (!scanner.end()) return NO_JSON.reason;
  if (reader.spans.length === 0) return 'A batch has at least one message.';
  return reader.spans.map(({ start, end }) => body.subarray(start, end));
}

/** Finds where the messages of a batch are, and does not look into them. */
class BatchReader implements JsonReader {
  readonly spans: Span[] = [];
  hasTooMany = false;
  readonly #max: number;
  #isInside = false;
  #start: number | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  key(): void {}

  begin(start: number): boolean {
    const isBatch = !this.#isInside;
    this.#isInside = true;
    if (!isBatch) this.#start = start;
    return isBatch;
  }

  end(end: number): void {
    const start = this.#start;
    this.#start = undefined;
    if (start === undefined) return;
    if (this.spans.length === this.#max) this.hasTooMany = true;
    else this.spans.push({ start, end });
  }
}
