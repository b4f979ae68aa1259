/** Counts what is in hand by key, so that no key has more than its share. It holds no other keys. */
export class InHand {
  readonly #counts = new Map<string, number>();

  /** @returns false, and counts nothing, if the key has as many as the limit */
  begin(key: string, limit: number): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= limit) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  end(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
