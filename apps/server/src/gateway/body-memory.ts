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

/** Bytes of a body that are not counted for its caller. */
const MAX_SHORT = 256 * 1024;

/** The memory that the body of one call takes of what all bodies share. */
export class KeptBody {
  readonly #memory: BodyMemory;
  #bytes = 0;
  /** Those of them that a long body took. */
  #longBytes = 0;

  constructor(memory: BodyMemory) {
    this.#memory = memory;
  }

  /** Returns false if there is no room. @param callerId undefined while nobody has been let in */
  take(bytes: number, callerId: string | undefined): boolean {
    const isLong = this.#bytes + bytes > MAX_SHORT;
    if (!this.#memory.take(bytes, isLong ? callerId : undefined)) return false;
    this.#bytes += bytes;
    if (isLong) this.#longBytes += bytes;
    return true;
  }

  /** @param callerId as it was taken */
  giveBack(bytes: number, callerId: string | undefined): void {
    const long = Math.min(bytes, this.#longBytes);
    const short = Math.min(bytes, this.#bytes) - long;
    if (long > 0) this.#memory.giveBack(long, callerId);
    this.#memory.giveBack(short);
    this.#bytes -= long + short;
    this.#longBytes -= long;
  }

  giveUp(callerId: string | undefined): void {
    this.giveBack(this.#bytes, callerId);
  }
}
