import { type FoundKey, textOf } from './keys.ts';
import { type Shape, VALUE } from './shape.ts';

/** The positions of a value in its text, before its first byte and after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const [OBJECT, ARRAY] = Buffer.from('{[');

/** Of every value that is not looked into. */
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
  /** The bytes of a value that has passed; undefined where the text is held. */
  passed: Buffer | undefined;

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
    this.passed = undefined;
  }

  /** The value is looked into. */
  open(shape: Shape): void {
    this.shape = shape;
    this.lastEnd = this.start + 1;
    if (this.kind === OBJECT) this.members = [];
    else this.items = [];
  }

  get hasEnded(): boolean {
    return this.end > this.start;
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

  /** Raw JSON. @param text in which it is */
  raw(text: Buffer): string {
    return this.passed?.toString() ?? text.toString('utf8', this.start, this.end);
  }

  /** The value of a string of at most `longest` bytes, see {@link textOf}. @param text in which it is */
  string(text: Buffer, longest: number): string | null {
    const { passed } = this;
    if (passed !== undefined) return textOf(passed, 0, passed.length, longest);
    return textOf(text, this.start, this.end, longest);
  }
}
