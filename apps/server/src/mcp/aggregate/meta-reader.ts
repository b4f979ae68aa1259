import { mayBeginWith } from '../json/keys.ts';
import type { Spots } from './spots.ts';

/** What keys of ours begin with, and no key of an upstream may. */
const PREFIX = 'gatehouse/';

/**
 * Finds what changes in the `_meta` of an entry: our member comes first, and members of the upstream go if a parser may
 * take their keys for ours. A comma goes with the member after it, so that those that stay keep theirs.
 */
export class MetaReader {
  readonly #page: Buffer;
  readonly #spots: Spots;
  #hasMember = false;
  #isLikeOurs = false;
  #keyStart = 0;
  /** Where the last member ended, or the object began. */
  #lastEnd: number;

  /** @param start of the object */
  constructor(page: Buffer, spots: Spots, start: number) {
    this.#page = page;
    this.#spots = spots;
    this.#lastEnd = start + 1;
  }

  key(start: number, end: number): void {
    this.#keyStart = start;
    this.#isLikeOurs = mayBeginWith(this.#page, start, end, PREFIX);
    if (!this.#hasMember && !this.#isLikeOurs) this.#spots.add('member_and_comma', start);
  }

  /** The value of that key has ended. */
  value(end: number): void {
    if (this.#isLikeOurs) {
      if (this.#hasMember) this.#spots.add('nothing', this.#lastEnd, end);
      else this.#spots.add('member', this.#keyStart, end);
    }
    this.#hasMember = true;
    this.#lastEnd = end;
  }

  /** The object has ended. */
  end(): void {
    if (!this.#hasMember) this.#spots.add('member', this.#lastEnd);
  }
}
