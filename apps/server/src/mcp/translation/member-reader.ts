import type { HeldBytes } from '../held-bytes.ts';
import type { JsonReader } from '../json/scanner.ts';
import { type Member, type ObjectSpan, type Place, soughtName } from './members.ts';

/** Members that are found in one message. */
const MAX_MEMBERS = 500;

const [OBJECT] = Buffer.from('{');

/** An object that is being read. */
interface Frame {
  readonly place: Place;
  readonly object: ObjectSpan;
  /** Of the value that comes, or has not ended. */
  member: Member | undefined;
  /** Where the last member ended, or the object began. */
  lastEnd: number;
}

/** Finds the members of some objects in a message. It looks into nothing else. */
export class MemberReader implements JsonReader {
  readonly #held: HeldBytes;
  readonly #place: Place;
  readonly #frames: Frame[] = [];
  #root: ObjectSpan | undefined;
  #found = 0;
  #isAmbiguous = false;
  /** Whether the value that began last is not looked into. */
  #isInValue = false;

  /** @param place the top of the message */
  constructor(held: HeldBytes, place: Place) {
    this.#held = held;
    this.#place = place;
  }

  /** Once the message has ended: undefined if it is no object, or if two parsers may read it differently. */
  get root(): ObjectSpan | undefined {
    return this.#isAmbiguous ? undefined : this.#root;
  }

  key(start: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    const { object, place, lastEnd } = frame;
    const last = object.members.at(-1);
    if (last !== undefined) last.nextKey ??= start;
    frame.member = undefined;
    const name = this.#isAmbiguous ? undefined : this.#nameOf(place, start, end);
    if (name === undefined) return;
    this.#found += 1;
    const isRepeated = name !== place.prefix && object.members.some((one) => one.name === name);
    if (isRepeated || this.#found > MAX_MEMBERS) this.#isAmbiguous = true;
    frame.member = {
      name,
      index: object.count,
      keyStart: start,
      lastEnd,
      nextKey: undefined,
      value: { start: end, end },
      object: undefined,
    };
    object.members.push(frame.member);
  }

  begin(start: number, byte: number): boolean {
    const frame = this.#frames.at(-1);
    const member = frame?.member;
    if (member !== undefined) member.value = { start, end: start };
    const place = frame === undefined ? this.#place : member && frame.place.placeOf(member.name);
    const isOpened = place !== undefined && byte === OBJECT && !this.#isAmbiguous;
    this.#isInValue = !isOpened;
    if (!isOpened) return false;
    const object: ObjectSpan = { start, end: start, count: 0, members: [] };
    if (member !== undefined) member.object = object;
    this.#root ??= object;
    this.#frames.push({ place, object, member: undefined, lastEnd: start + 1 });
    return true;
  }

  end(end: number): void {
    if (this.#isInValue) this.#isInValue = false;
    else {
      const ended = this.#frames.pop();
      if (ended !== undefined) ended.object.end = end;
    }
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    const { member } = frame;
    if (member !== undefined) member.value = { start: member.value.start, end };
    frame.object.count += 1;
    frame.lastEnd = end;
  }

  #nameOf(place: Place, start: number, end: number): string | undefined {
    const { buffer, base } = this.#held;
    return soughtName(place, buffer, start - base, end - base);
  }
}
