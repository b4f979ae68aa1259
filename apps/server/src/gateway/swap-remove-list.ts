/** What a {@link SwapRemoveList} may contain. */
export interface ListMember {
  /** Its index in the list, -1 while it is in none; written by the list. */
  listIndex: number;
}

/**
 * A list in no order: adding and deleting take constant time and allocate nothing. A `Set` that is
 * added to and deleted from on every call leaves a chain of outgrown tables behind (V8 links each to
 * the next), and their entries, every call of the past second, live until a full garbage collection.
 * docs/decisions/gateway-relay.md has the figures.
 */
export class SwapRemoveList<T extends ListMember> {
  readonly #members: T[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: T): void {
    if (member.listIndex >= 0) return;
    member.listIndex = this.#members.length;
    this.#members.push(member);
  }

  delete(member: T): void {
    const { listIndex } = member;
    if (listIndex < 0) return;
    const last = this.#members.pop() as T;
    last.listIndex = listIndex;
    if (last !== member) this.#members[listIndex] = last;
    member.listIndex = -1;
  }

  every(predicate: (member: T) => boolean): boolean {
    return this.#members.every(predicate);
  }

  /** A copy, so that members may be deleted during iteration. */
  toArray(): T[] {
    return this.#members.slice();
  }
}
