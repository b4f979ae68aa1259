/** What takes the place of bytes in an entry. */
export type Fill =
  /** The exposed name, if it differs. */
  | 'identifier'
  /** Our member of `_meta`, as the only one or with a comma and another one after it. */
  | 'member'
  /** The same, before another member. */
  | 'member_and_comma'
  /** A value of `_meta` with our member alone. */
  | 'meta_value'
  /** A `_meta` with our member alone, after another member of the entry. */
  | 'comma_and_meta'
  | 'nothing';

/** Bytes of an entry that are replaced. Positions count from its first byte; both are equal where bytes only come. */
export interface Spot {
  readonly start: number;
  readonly end: number;
  readonly fill: Fill;
}

/** The spots of an entry, in order. */
export class Spots {
  readonly #base: number;
  readonly #spots: Spot[] = [];

  /** @param base the position of the entry in its page */
  constructor(base: number) {
    this.#base = base;
  }

  get all(): readonly Spot[] {
    return this.#spots;
  }

  /** Positions are those in the page. */
  add(fill: Fill, start: number, end = start): void {
    this.#spots.push({ start: start - this.#base, end: end - this.#base, fill });
  }
}
