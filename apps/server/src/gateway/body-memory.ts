/** The memory shared by the whole bodies of all calls. The long bodies of one caller get a quarter of it at most. */
export class BodyMemory {
  readonly #limit: number;
  #used = 0;
  /** Bytes of long bodies by caller, of those who have any. */
  readonly #longOf = new Map<string, number>();

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  /** Returns false if there is no room. @param callerId for a long body */
  take(bytes: number, callerId?: string): boolean {
    if (this.#used + bytes > this.#limit) return false;
    if (callerId !== undefined) {
      const long = (this.#longOf.get(callerId) ?? 0) + bytes;
      if (long > this.#limit / 4) return false;
      this.#longOf.set(callerId, long);
    }
    this.#used += bytes;
    return true;
  }

  /** @param callerId as it was taken */
  giveBack(bytes: number, callerId?: string): void {
    this.#used -= bytes;
    if (callerId === undefined) return;
    const left = (this.#longOf.get(callerId) ?? 0) - bytes;
    if (left > 0) this.#longOf.set(callerId, left);
    else this.#longOf.delete(callerId);
  }
}
