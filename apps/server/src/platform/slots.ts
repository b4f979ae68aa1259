import { InHand } from './in-hand.ts';

export interface SlotLimits {
  /** How many may run at once. */
  readonly running: number;
  /** The most tasks that can wait. Further ones are refused at once. */
  readonly waiting: number;
  /** The same of the tasks with one key. Default: no limit but the others. */
  readonly ofKey?: { readonly running: number; readonly waiting: number };
  /** Milliseconds that a task can wait. Default: no limit. */
  readonly maxWait?: number;
  /** Creates the error of a refused task. */
  readonly refusal: () => Error;
}

/** For whom a task runs. */
export interface Turn {
  /** Without one only the limits of all tasks apply. */
  readonly key?: string | undefined;
  /** A task with a lower one goes first, and takes the place of one with a higher where all are taken. Default 0. */
  readonly rank?: number;
}

interface Waiting extends Turn {
  readonly rank: number;
  readonly enter: () => void;
  readonly giveUp: () => void;
}

/** Lets a limited number of tasks run at once: by rank, then first come first served, among the keys with room. */
export class Slots {
  readonly #limits: SlotLimits;
  /** In the order in which they go. */
  readonly #waiting: Waiting[] = [];
  readonly #runningOf = new InHand();
  readonly #waitingOf = new InHand();
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * @throws the refusal when too many wait, or no slot is free in time
   */
  async run<T>(task: () => Promise<T>, { key, rank = 0 }: Turn = {}): Promise<T> {
    if (this.#running < this.#limits.running && this.#begin(key)) this.#running += 1;
    else await this.#wait(key, rank);
    try {
      return await task();
    } finally {
      if (key !== undefined) this.#runningOf.end(key);
      this.#release();
    }
  }

  #begin(key: string | undefined): boolean {
    return key === undefined || this.#runningOf.begin(key, this.#limits.ofKey?.running ?? Infinity);
  }

  #wait(key: string | undefined, rank: number): Promise<void> {
    const { ofKey, maxWait, refusal } = this.#limits;
    const isCounted = key === undefined || this.#waitingOf.begin(key, ofKey?.waiting ?? Infinity);
    if (!isCounted) throw refusal();
    if (!this.#makeRoom(rank)) {
      if (key !== undefined) this.#waitingOf.end(key);
      throw refusal();
    }
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        if (key !== undefined) this.#waitingOf.end(key);
      };
      const enter = (): void => {
        leave();
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(refusal());
      };
      const place: Waiting = { key, rank, enter, giveUp };
      if (maxWait !== undefined) timer = setTimeout(giveUp, maxWait);
      const before = this.#waiting.findLastIndex((other) => other.rank <= rank);
      this.#waiting.splice(before + 1, 0, place);
    });
  }

  /** @returns false if all places are taken by tasks that go before one of this rank, or came before it */
  #makeRoom(rank: number): boolean {
    if (this.#waiting.length < this.#limits.waiting) return true;
    const last = this.#waiting.at(-1);
    if (last === undefined || last.rank <= rank) return false;
    last.giveUp();
    return true;
  }

  /** The slot passes to the first task of those with room for their key. */
  #release(): void {
    for (const { key, enter } of this.#waiting) {
      if (!this.#begin(key)) continue;
      enter();
      return;
    }
    this.#running -= 1;
  }
}
