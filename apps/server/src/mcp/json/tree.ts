import type { FoundKey } from './keys.ts';
import { ARRAY, JsonNode, OBJECT } from './node.ts';
import type { JsonReader } from './scanner.ts';
import { type Shape, VALUE } from './shape.ts';

/** The number of items in an array of 256 KiB. */
const MAX_NODES = 128 * 1024;

/** Bytes of the values that are copied as a text passes. */
const MAX_PASSED = 1024 * 1024;

const NO_KEY: FoundKey = { name: '', isLookAlike: false };

/** The bytes of a text that are held, and the position of the first. */
export interface TextBytes {
  readonly buffer: Buffer;
  readonly base: number;
}

/**
 * Makes nodes of the values that a shape names, as the text is scanned. A node is in its parent once it has ended, or is
 * looked into.
 */
export class JsonTree implements JsonReader {
  /** Undefined until the text has begun. */
  root: JsonNode | undefined;
  readonly #text: TextBytes;
  readonly #shape: Shape;
  readonly #isPassing: boolean;
  /** The objects and arrays that are looked into and have not ended. */
  readonly #open: JsonNode[] = [];
  /** The member that the last key names; undefined if the shape does not name it. */
  #member: JsonNode | undefined;
  /** The value that began last, likewise. */
  #value: JsonNode | undefined;
  /** That value has not ended, and is not looked into. */
  #isInValue = false;
  #nodes = 0;
  #passed = 0;

  /** @param isPassing the text is not held: the nodes get copies of their bytes, but for objects and arrays */
  constructor(text: TextBytes, shape: Shape, isPassing = false) {
    this.#text = text;
    this.#shape = shape;
    this.#isPassing = isPassing;
  }

  /** The shape names more values than nodes are made of, or longer ones than are copied. */
  get isFull(): boolean {
    return this.#nodes > MAX_NODES || this.#passed > MAX_PASSED;
  }

  /** The number of values that the shape has named so far. */
  get size(): number {
    return this.#nodes;
  }

  /** The string, number or literal that is being read, if the shape names it. */
  get openScalar(): JsonNode | undefined {
    const value = this.#isInValue ? this.#value : undefined;
    return value?.kind === OBJECT || value?.kind === ARRAY ? undefined : value;
  }

  key(start: number, end: number): void {
    const parent = this.#open.at(-1);
    const shape = parent?.shape.members;
    if (parent === undefined || shape === undefined) return;
    const last = parent.members.at(-1);
    if (last !== undefined) last.nextKey ??= start;
    const { buffer, base } = this.#text;
    const key = shape.find(buffer, start - base, end - base);
    this.#member =
      key && this.#hasRoom() ? new JsonNode(key, start, parent.lastEnd, parent.count) : undefined;
  }

  begin(start: number, byte: number): boolean {
    const parent = this.#open.at(-1);
    const value = parent?.kind === OBJECT ? this.#member : this.#item(parent, start);
    this.#value = value;
    this.#isInValue = true;
    if (value === undefined) return false;
    value.start = start;
    value.kind = byte;
    if (byte !== OBJECT && byte !== ARRAY) return false;
    const shape = this.#shapeOf(parent, value);
    if ((byte === OBJECT ? shape.members : shape.items) === undefined) return false;
    this.#isInValue = false;
    value.open(shape);
    if (parent !== undefined) add(parent, value);
    this.#open.push(value);
    return true;
  }

  end(end: number): void {
    if (this.#isPassing) this.#copy(this.openScalar, end);
    const isInValue = this.#isInValue;
    const value = isInValue ? this.#value : this.#open.pop();
    this.#isInValue = false;
    if (value !== undefined) value.end = end;
    const parent = this.#open.at(-1);
    if (parent === undefined) return;
    if (isInValue && value !== undefined) add(parent, value);
    parent.count += 1;
    parent.lastEnd = end;
  }

  /** The node of an item, or of the whole text. */
  #item(parent: JsonNode | undefined, start: number): JsonNode | undefined {
    if (parent === undefined) {
      this.root = new JsonNode(NO_KEY, start, 0, 0);
      return this.root;
    }
    const { maxItems = Number.POSITIVE_INFINITY } = parent.shape;
    if (parent.items.length >= maxItems || !this.#hasRoom()) return undefined;
    return new JsonNode(NO_KEY, start, parent.lastEnd, parent.count);
  }

  #shapeOf(parent: JsonNode | undefined, { name }: JsonNode): Shape {
    if (parent === undefined) return this.#shape;
    const { members, items } = parent.shape;
    return (parent.kind === OBJECT ? members?.shapeOf(name) : items) ?? VALUE;
  }

  #copy(scalar: JsonNode | undefined, end: number): void {
    if (scalar === undefined) return;
    this.#passed += end - scalar.start;
    if (this.isFull) return;
    const { buffer, base } = this.#text;
    scalar.passed = Buffer.from(buffer.subarray(scalar.start - base, end - base));
  }

  #hasRoom(): boolean {
    this.#nodes += 1;
    return this.#nodes <= MAX_NODES;
  }
}

function add(parent: JsonNode, value: JsonNode): void {
  if (parent.kind === OBJECT) parent.members.push(value);
  else parent.items.push(value);
}
