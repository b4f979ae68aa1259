import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { HeldBytes } from '../held-bytes.ts';
import { MAX_AT_ONCE } from '../json/parse.ts';
import { JsonScanner } from '../json/scanner.ts';
import { MemberReader } from './member-reader.ts';
import { memberOf, type ObjectSpan, type Place } from './members.ts';

/** A message with the positions of what a translation changes. */
export interface ReadMessage {
  readonly bytes: Buffer;
  readonly object: ObjectSpan;
}

/** Reads one message as it arrives. */
export class MessageReader {
  readonly #held = new HeldBytes();
  readonly #reader: MemberReader;
  readonly #scanner: JsonScanner;
  #isJson = true;

  /** @param place the top of the message */
  constructor(place: Place) {
    this.#reader = new MemberReader(this.#held, place);
    this.#scanner = new JsonScanner(this.#reader);
  }

  /** Bytes that have arrived. */
  get size(): number {
    return this.#held.end;
  }

  feed(part: Buffer): void {
    if (!this.#isJson) return;
    this.#held.append(part);
    this.#isJson = this.#scanner.feed(part);
  }

  /** The message; undefined if it is no object of JSON in UTF-8, or if two parsers may read it differently. */
  end(): ReadMessage | undefined {
    if (!this.#isJson || !this.#scanner.end()) return undefined;
    const object = this.#reader.root;
    const bytes = this.#held.take(this.#held.end);
    return object === undefined || !isUtf8(bytes) ? undefined : { bytes, object };
  }
}

/** Reads a message that is there as a whole: a long one with pauses in which other calls go on, a short one at once. */
export function readMessage(
  body: Buffer,
  place: Place,
): ReadMessage | undefined | Promise<ReadMessage | undefined> {
  const reader = new MessageReader(place);
  if (body.length > MAX_AT_ONCE) return readLong(body, reader);
  reader.feed(body);
  return reader.end();
}

async function readLong(body: Buffer, reader: MessageReader): Promise<ReadMessage | undefined> {
  for (let start = 0; start < body.length; start += MAX_AT_ONCE) {
    if (start > 0) await setImmediate();
    reader.feed(body.subarray(start, start + MAX_AT_ONCE));
  }
  return reader.end();
}

/** The raw JSON of a member of an object. */
export function rawOf(
  { bytes }: Pick<ReadMessage, 'bytes'>,
  object: ObjectSpan | undefined,
  name: string,
): string | undefined {
  const value = memberOf(object, name)?.value;
  return value && bytes.toString('utf8', value.start, value.end);
}
