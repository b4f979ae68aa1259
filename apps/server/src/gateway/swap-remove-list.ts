/** What a {@link SwapRemoveList} may contain. */
export interface ListMember {
  /** Its index in the list, -1 while it is in no list. */
  readonly listIndex: number;
  /** The list has put the member at this index; -1 for nowhere. */
  listedAt(index: number): void;
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
    member.listedAt(this.#members.length);
    this.#members.push(member);
  }

  delete(member: T): void {
    const { listIndex } = member;
    if (listIndex < 0) return;
    const last = this.#members.pop();
    if (last !== undefined && last !== member) {
      last.listedAt(listIndex);
      this.#members[listIndex] = last;
    }
    member.listedAt(-1);
  }

  some(predicate: (member: T) => boolean): boolean {
    return this.#members.some(predicate);
  }

  every(predicate: (member: T) => boolean): boolean {
    return this.#members.every(predicate);
  }

  /** A copy, so that members may be deleted during iteration. */
  toArray(): T[] {
    return this.#members.slice();
  }
}
