/** What may lie in a {@link Bag}: it knows where. */
export interface Baggable {
  /** Index in its bag, -1 outside. */
  place: number;
}

/**
 * Members in no order, added and taken out without allocating. A `Set` used so at every call leaves
 * a chain of outgrown tables behind (V8 links each to the next), and what they name, every call of
 * the past second, lives until a full garbage collection. docs/decisions/gateway-relay.md has the figures.
 */
export class Bag<T extends Baggable> {
  readonly #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    if (member.place >= 0) return;
    member.place = this.#members.length;
    this.#members.push(member);
  }

  delete(member: T): void {
    const { place } = member;
    if (place < 0) return;
    const last = this.#members.pop() as T;
    last.place = place;
    if (last !== member) this.#members[place] = last;
    member.place = -1;
  }

  /** A copy, so that members may leave meanwhile. */
  toArray(): T[] {
    return this.#members.slice();
  }
}
