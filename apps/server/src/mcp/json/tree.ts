import {
  AFTER_FIRST,
  AFTER_ITEM,
  AFTER_MEMBER,
  BEGIN_ARRAY,
  BEGIN_KEY,
  BEGIN_OBJECT,
  BEGIN_SCALAR,
  BEGIN_STRING,
  COLON,
  END,
  END_CONTAINER,
  END_LITERAL,
  END_NUMBER,
  END_STRING,
  FIRST_ITEM,
  FIRST_KEY,
  INVALID,
  isNumber,
  START,
  STEPS,
  STRING,
  TABLE,
} from './grammar.ts';
import type { FoundKey } from './keys.ts';
import { JsonNode, OBJECT, type TextBytes } from './node.ts';
import { LONG, PlainText, skipLong } from './plain-text.ts';
import { type Shape, VALUE } from './shape.ts';

/** The number of items in an array of 256 KiB. */
const MAX_NODES = 128 * 1024;

const NO_KEY: FoundKey = { name: '', isLookAlike: false };

/** Takes a value that the shape names, when it has ended. The parent is undefined for the whole text. */
type OnEnd = (value: JsonNode, parent: JsonNode | undefined) => void;

/**
 * Checks that bytes are one JSON text (RFC 8259; a byte order mark may precede it), as they arrive, and makes nodes of the
 * values that a shape names. A node is in its parent once it has ended, or is looked into. Strings may have any bytes
 * above 127: UTF-8 is not checked. Deep nesting takes a byte of memory for each level.
 */
export class JsonTree {
  /** Undefined until the text has begun. */
  root: JsonNode | undefined;
  readonly #text: TextBytes;
  readonly #shape: Shape;
  readonly #onEnd: OnEnd | undefined;
  #state = START;
  /** The position of the first byte of the next chunk. */
  #position = 0;
  /** The first byte of each object or array that has not ended, and their number. */
  #containers = new Uint8Array(32);
  #depth = 0;
  /** Those that are looked into, which are the outer ones, and their number. */
  readonly #open: JsonNode[] = [];
  #watched = 0;
  /** The innermost of them. */
  #parent: JsonNode | undefined;
  #isKey = false;
  #keyStart = Number.POSITIVE_INFINITY;
  /** The member that the last key names; undefined if the shape does not name it. */
  #member: JsonNode | undefined;
  /** The value that has not ended and is not looked into, if the shape names it. */
  #value: JsonNode | undefined;
  #nodes = 0;

  /** @param text needs to hold the key that is being read, and what `onEnd` reads */
  constructor(text: TextBytes, shape: Shape, onEnd?: OnEnd) {
    this.#text = text;
    this.#shape = shape;
    this.#onEnd = onEnd;
  }

  /** The shape names more values than nodes are made of. */
  get isFull(): boolean {
    return this.#nodes > MAX_NODES;
  }

  /** The number of values that the shape has named so far. */
  get size(): number {
    return this.#nodes;
  }

  /** The position of the first byte that has not been read. */
  get position(): number {
    return this.#position;
  }

  /** Where the key begins that has not ended and that the shape may name; infinity if there is no such key. */
  get openKey(): number {
    return this.#keyStart;
  }

  /** The string, number or literal that is being read, if the shape names it. */
  get openScalar(): JsonNode | undefined {
    return this.#value?.isContainer ? undefined : this.#value;
  }

  /** The objects and arrays that are looked into and have not ended, from the outside to the inside. */
  get open(): readonly JsonNode[] {
    return this.#open;
  }

  /** Makes room for another item. */
  forgetLast({ items }: JsonNode): void {
    const item = items.pop();
    if (item !== undefined) this.#nodes -= 1 + item.members.length;
  }

  /** @returns whether the text can still be JSON. */
  feed(chunk: Buffer): boolean {
    const skipped = this.#state === STRING && chunk.length >= LONG ? skipLong(chunk) : 0;
    this.#position += skipped;
    return this.#read(skipped === 0 ? chunk : chunk.subarray(skipped));
  }

  /** @returns whether the text is complete. */
  end(): boolean {
    if (this.#depth === 0 && isNumber(this.#state)) this.#state = this.#endValue(this.#position);
    return this.#state === END;
  }

  #read(chunk: Uint8Array): boolean {
    const { length } = chunk;
    const base = this.#position;
    const text = new PlainText(chunk);
    let state = this.#state;
    for (let at = 0; at < length && state !== INVALID; at += 1) {
      if (state === STRING) {
        at = text.skip(at);
        if (at === length) break;
      }
      const byte = chunk[at] as number;
      const next = TABLE[state * 256 + byte] as number;
      if (next < STEPS) state = next;
      else {
        state = this.#step(next, byte, base + at);
        // The byte after a number has not been read.
        if (next === END_NUMBER) at -= 1;
      }
    }
    this.#position = base + length;
    this.#state = state;
    return state !== INVALID;
  }

  /** @returns the next state */
  #step(step: number, byte: number, at: number): number {
    switch (step) {
      case BEGIN_OBJECT:
        this.#beginContainer(byte, at);
        return FIRST_KEY;
      case BEGIN_ARRAY:
        this.#beginContainer(byte, at);
        return FIRST_ITEM;
      case BEGIN_KEY:
        this.#isKey = true;
        if (this.#depth === this.#watched) this.#keyStart = at;
        return STRING;
      case BEGIN_STRING:
        this.#beginValue(byte, at);
        return STRING;
      case BEGIN_SCALAR:
        this.#beginValue(byte, at);
        return AFTER_FIRST[byte] as number;
      case END_CONTAINER:
        return this.#endContainer(at + 1);
      case END_STRING:
        return this.#isKey ? this.#endKey(at + 1) : this.#endValue(at + 1);
      case END_LITERAL:
        return this.#endValue(at + 1);
      case END_NUMBER:
        return this.#endValue(at);
      default:
        return INVALID;
    }
  }

  #endKey(end: number): number {
    this.#isKey = false;
    const parent = this.#parent;
    if (this.#depth !== this.#watched || parent === undefined) return COLON;
    const start = this.#keyStart;
    this.#keyStart = Number.POSITIVE_INFINITY;
    const last = parent.members.at(-1);
    if (last !== undefined) last.nextKey ??= start;
    const { buffer, base } = this.#text;
    const key = parent.shape.members?.find(buffer, start - base, end - base);
    this.#member =
      key && this.#hasRoom() ? new JsonNode(key, start, parent.lastEnd, parent.count) : undefined;
    return COLON;
  }

  #beginValue(byte: number, at: number): void {
    if (this.#depth !== this.#watched) return;
    const parent = this.#parent;
    const value = parent?.kind === OBJECT ? this.#member : this.#beginItem(parent, at);
    this.#value = value;
    if (value === undefined) return;
    value.start = at;
    value.kind = byte;
  }

  /** The node of an item, or of the whole text. */
  #beginItem(parent: JsonNode | undefined, start: number): JsonNode | undefined {
    if (parent === undefined) {
      this.root = new JsonNode(NO_KEY, start, 0, 0);
      return this.root;
    }
    const { maxItems = Number.POSITIVE_INFINITY } = parent.shape;
    if (parent.items.length >= maxItems || !this.#hasRoom()) return undefined;
    return new JsonNode(NO_KEY, start, parent.lastEnd, parent.count);
  }

  #beginContainer(byte: number, at: number): void {
    const depth = this.#depth;
    if (depth === this.#watched) {
      this.#beginValue(byte, at);
      if (this.#value !== undefined) this.#lookInto(this.#value);
    }
    if (depth === this.#containers.length) {
      const longer = new Uint8Array(2 * depth);
      longer.set(this.#containers);
      this.#containers = longer;
    }
    this.#containers[depth] = byte;
    this.#depth = depth + 1;
  }

  #lookInto(value: JsonNode): void {
    const parent = this.#parent;
    const shape = parent === undefined ? this.#shape : shapeIn(parent, value);
    if ((value.kind === OBJECT ? shape.members : shape.items) === undefined) return;
    this.#value = undefined;
    value.open(shape);
    parent?.add(value);
    this.#watched = this.#open.push(value);
    this.#parent = value;
  }

  #endContainer(end: number): number {
    const isOpen = this.#depth === this.#watched;
    this.#depth -= 1;
    if (!isOpen) return this.#endValue(end);
    const value = this.#open.pop();
    this.#watched -= 1;
    this.#parent = this.#open[this.#watched - 1];
    return this.#end(value, end);
  }

  #endValue(end: number): number {
    if (this.#depth !== this.#watched) return this.#stateAfterValue();
    const value = this.#value;
    this.#value = undefined;
    if (value !== undefined) this.#parent?.add(value);
    return this.#end(value, end);
  }

  #end(value: JsonNode | undefined, end: number): number {
    const parent = this.#parent;
    if (parent !== undefined) {
      parent.count += 1;
      parent.lastEnd = end;
    }
    if (value !== undefined) {
      value.end = end;
      this.#onEnd?.(value, parent);
    }
    return this.#stateAfterValue();
  }

  #stateAfterValue(): number {
    if (this.#depth === 0) return END;
    return this.#containers[this.#depth - 1] === OBJECT ? AFTER_MEMBER : AFTER_ITEM;
  }

  #hasRoom(): boolean {
    this.#nodes += 1;
    return this.#nodes <= MAX_NODES;
  }
}

function shapeIn({ kind, shape: { members, items } }: JsonNode, { name }: JsonNode): Shape {
  return (kind === OBJECT ? members?.shapeOf(name) : items) ?? VALUE;
}
