import { type FoundKey, QUOTE, textOf, unescaped } from './keys.ts';
import { type Shape, VALUE } from './shape.ts';

/** The positions of a value in its text, before its first byte and after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a text that are held, and the position of the first. */
export interface TextBytes {
  readonly buffer: Buffer;
  readonly base: number;
}

export const [OBJECT, ARRAY] = Buffer.from('{[');

/** Of every value in which no shape has found anything. */
const NONE: JsonNode[] = [];

/** A value that a {@link Shape} names, as positions in its text. */
export class JsonNode implements Span {
  start: number;
  end: number;
  /** The first byte. */
  kind: number;
  /** The key of a member; empty for an item, and for the whole text. */
  readonly name: string;
  /** The key differs from the name in case or by U+0000, so that only some parsers take it for the same. */
  readonly isLookAlike: boolean;
  readonly keyStart: number;
  /** The end of the member or item before it, or the position after the opening bracket. */
  readonly previousEnd: number;
  /** How many members or items come before it. */
  readonly index: number;
  /** The start of the next member's key; undefined for the last member. */
  nextKey: number | undefined;
  /** The number of all members or items, including those that no shape names. */
  count: number;
  /** The end of the last member or item so far. */
  lastEnd: number;
  /** In an object that is looked into, the members with a known key. */
  members: JsonNode[];
  /** In an array that is looked into. */
  items: JsonNode[];
  /** With which the value is looked into. */
  shape: Shape;
  /** Its raw JSON, which stays where the text passes. */
  kept: string | undefined;

  constructor(key: FoundKey, keyStart: number, previousEnd: number, index: number) {
    this.start = keyStart;
    this.end = keyStart;
    this.kind = 0;
    this.name = key.name;
    this.isLookAlike = key.isLookAlike;
    this.keyStart = keyStart;
    this.previousEnd = previousEnd;
    this.index = index;
    this.nextKey = undefined;
    this.count = 0;
    this.lastEnd = keyStart;
    this.members = NONE;
    this.items = NONE;
    this.shape = VALUE;
    this.kept = undefined;
  }

  /** The value is looked into. */
  open(shape: Shape): void {
    this.shape = shape;
    this.lastEnd = this.start + 1;
  }

  /** Adds a member or item. Arrays of one have no room for more: many objects have one known key. */
  add(value: JsonNode): void {
    if (this.kind === OBJECT) {
      if (this.members === NONE) this.members = [value];
      else this.members.push(value);
    } else if (this.items === NONE) this.items = [value];
    else this.items.push(value);
  }

  get hasEnded(): boolean {
    return this.end > this.start;
  }

  get isContainer(): boolean {
    return this.kind === OBJECT || this.kind === ARRAY;
  }

  /** Keeps its raw JSON, so that the text need not be held. */
  keep({ buffer, base }: TextBytes): void {
    this.kept = buffer.toString('utf8', this.start - base, this.end - base);
  }

  /** The first member with exactly this key. */
  member(name: string): JsonNode | undefined {
    for (const member of this.members) {
      if (member.name === name && !member.isLookAlike) return member;
    }
    return undefined;
  }

  /** The same, if its value is an object. */
  objectAt(name: string): JsonNode | undefined {
    const member = this.member(name);
    return member?.kind === OBJECT ? member : undefined;
  }

  /** The members with exactly such a key. */
  membersWith(isMeant: (name: string) => boolean): JsonNode[] {
    return this.members.filter(({ name, isLookAlike }) => !isLookAlike && isMeant(name));
  }

  /** Raw JSON. @param text in which it is, unless it is kept */
  raw(text: Buffer): string {
    return this.kept ?? text.toString('utf8', this.start, this.end);
  }

  /** The value of a string of at most `longest` bytes, see {@link textOf}. @param text in which it is, unless it is kept */
  string(text: Buffer, longest: number): string | null {
    const { kept, start, end } = this;
    if (kept === undefined) return textOf(text, start, end, longest);
    const isShort = this.kind === QUOTE && end - start - 2 <= longest;
    return isShort ? unescaped(kept.slice(1, -1)) : null;
  }
}
