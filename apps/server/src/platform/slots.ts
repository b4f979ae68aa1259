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

interface Waiting {
  readonly key: string | undefined;
  readonly enter: () => void;
}

/** Lets a limited number of tasks run at once, first come first served among the keys with room. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting = new Set<Waiting>();
  readonly #runningOf = new InHand();
  readonly #waitingOf = new InHand();
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * @param key for whom the task runs; without one only the limits of all tasks apply
   * @throws the refusal when too many wait, or no slot is free in time
   */
  async run<T>(task: () => Promise<T>, key?: string): Promise<T> {
    if (this.#running < this.#limits.running && this.#begin(key)) this.#running += 1;
    else await this.#wait(key);
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

  #wait(key: string | undefined): Promise<void> {
    const { waiting, ofKey, maxWait, refusal } = this.#limits;
    const hasRoom =
      this.#waiting.size < waiting &&
      (key === undefined || this.#waitingOf.begin(key, ofKey?.waiting ?? Infinity));
    if (!hasRoom) throw refusal();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(place);
        if (key !== undefined) this.#waitingOf.end(key);
      };
      const enter = (): void => {
        leave();
        resolve();
      };
      const place: Waiting = { key, enter };
      const giveUp = (): void => {
        leave();
        reject(refusal());
      };
      if (maxWait !== undefined) timer = setTimeout(giveUp, maxWait);
      this.#waiting.add(place);
    });
  }

  /** The slot passes to the task that has waited longest, of those with room for their key. */
  #release(): void {
    for (const { key, enter } of this.#waiting) {
      if (!this.#begin(key)) continue;
      enter();
      return;
    }
    this.#running -= 1;
  }
}
