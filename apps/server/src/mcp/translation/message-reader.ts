import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { HeldBytes } from '../held-bytes.ts';
import { type JsonNode, OBJECT } from '../json/node.ts';
import { MAX_AT_ONCE } from '../json/parse.ts';
import type { Shape } from '../json/shape.ts';
import { JsonTree } from '../json/tree.ts';
import { RESERVED } from './shapes.ts';

/** Members that are found in one message. */
const MAX_MEMBERS = 500;

/** A message with the positions of what a translation changes. */
export interface ReadMessage {
  readonly bytes: Buffer;
  readonly object: JsonNode;
}

/** Reads one message as it arrives. */
export class MessageReader {
  readonly #held = new HeldBytes();
  readonly #tree: JsonTree;
  #isJson = true;

  constructor(shape: Shape) {
    this.#tree = new JsonTree(this.#held, shape);
  }

  /** Bytes that have arrived. */
  get size(): number {
    return this.#held.end;
  }

  feed(part: Buffer): void {
    if (!this.#isJson) return;
    this.#held.append(part);
    this.#isJson = this.#tree.feed(part);
  }

  /** The message; undefined if it is no object of JSON in UTF-8, or if two parsers may read it differently. */
  end(): ReadMessage | undefined {
    if (!this.#isJson || !this.#tree.end()) return undefined;
    const { root: object, size } = this.#tree;
    if (object === undefined || object.kind !== OBJECT || size > MAX_MEMBERS) return undefined;
    if (isAmbiguous(object)) return undefined;
    const bytes = this.#held.take(this.#held.end);
    return isUtf8(bytes) ? { bytes, object } : undefined;
  }
}

/** Two members that are found have one key. Those of the protocol share a name. */
function isAmbiguous(object: JsonNode): boolean {
  return object.members.some((member) => {
    const { name, isLookAlike } = member;
    const isRepeated = !isLookAlike && name !== RESERVED && object.member(name) !== member;
    return isRepeated || isAmbiguous(member);
  });
}

/** Reads a message that is there as a whole: a long one with pauses in which other calls go on, a short one at once. */
export function readMessage(
  body: Buffer,
  shape: Shape,
): ReadMessage | undefined | Promise<ReadMessage | undefined> {
  const reader = new MessageReader(shape);
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
