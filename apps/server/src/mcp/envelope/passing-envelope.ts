import { isUtf8 } from 'node:buffer';
import type { JsonNode, TextBytes } from '../json/node.ts';
import { JsonTree } from '../json/tree.ts';
import type { Envelope, Unreadable } from './message.ts';
import { BODY, envelopeIn, MAX_TEXT, unreadable } from './messages.ts';
import { NO_JSON, NO_UTF8 } from './read-envelope.ts';

const EMPTY = Buffer.alloc(0);

/** Bytes that are kept of a key or value that comes in pieces: a text of the longest length, in its quotes. */
const MAX_KEPT = MAX_TEXT + 2;

/** Bytes of all values that are kept. */
const MAX_VALUES = 1024 * 1024;

const TOO_LONG = unreadable('A key or text of the body is longer than 16 KiB.');

/**
 * Reads the envelope of a body as its bytes pass, and keeps only the beginning of the key or value that has not ended.
 * Unlike with `readEnvelope`, a key or text of more than 16 KiB makes the body unreadable.
 */
export class PassingEnvelope implements TextBytes {
  /** The bytes that are kept and the chunk after them, and the position of the first. */
  buffer: Buffer = EMPTY;
  base = 0;
  readonly #tree = new JsonTree(this, BODY, (value) => this.#keep(value));
  readonly #utf8 = new PassingUtf8();
  #fault: Unreadable | undefined;
  #unjudged = 0;
  #kept = 0;

  feed(chunk: Buffer): void {
    if (this.#fault !== undefined) return;
    const tree = this.#tree;
    this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk]);
    const isJson = tree.feed(chunk);
    const { position } = tree;
    const needed = Math.min(tree.openKey, tree.openScalar?.start ?? position, position);
    if (!this.#utf8.feed(chunk)) this.#fault = NO_UTF8;
    else if (!isJson || tree.isFull || this.#kept > MAX_VALUES) this.#fault = NO_JSON;
    else if (position - needed > MAX_KEPT) this.#fault = TOO_LONG;
    else this.#judge(chunk.length);
    // A copy: the chunk need not stay.
    this.buffer = Buffer.from(this.buffer.subarray(needed - this.base));
    this.base = needed;
  }

  /** Something in what has been read makes the body unreadable, and it may hide a call. */
  get fault(): Unreadable | undefined {
    return this.#fault;
  }

  /** Once the body has ended. */
  get envelope(): Envelope {
    const { root } = this.#tree;
    if (this.#fault !== undefined) return this.#fault;
    return this.#tree.end() && root !== undefined ? envelopeIn(root, EMPTY) : NO_JSON;
  }

  #keep(value: JsonNode): void {
    if (value.isContainer) return;
    this.#kept += value.end - value.start;
    if (this.#kept <= MAX_VALUES) value.keep(this);
  }

  /** Judges what has been read, at most once for as many bytes as it has nodes. */
  #judge(bytes: number): void {
    this.#unjudged += bytes;
    const { root, size } = this.#tree;
    if (root === undefined || this.#unjudged < size) return;
    this.#unjudged = 0;
    const envelope = envelopeIn(root, EMPTY);
    if (envelope.kind === 'unreadable' && envelope.mayCall) this.#fault = envelope;
  }
}

/** Checks the encoding of a text as its bytes pass. A byte order mark is refused too. */
class PassingUtf8 {
  #isAtStart = true;
  /** The bytes of a character that has not ended. */
  #open: Buffer = EMPTY;

  /** @returns whether the text can still be UTF-8. A character that never ends is left to the grammar of JSON. */
  feed(chunk: Buffer): boolean {
    if (this.#isAtStart && chunk[0] === 0xef) return false;
    this.#isAtStart &&= chunk.length === 0;
    const bytes = this.#open.length === 0 ? chunk : Buffer.concat([this.#open, chunk]);
    const end = bytes.length - openBytesOf(bytes);
    this.#open = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  }
}

/** The number of bytes at the end that begin a character without ending it. */
function openBytesOf(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0;
  }
  return 0;
}

/** The number of bytes of a character that begins with this one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
