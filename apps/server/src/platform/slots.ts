export interface SlotLimits {
  /** How many may run at once. */
  readonly running: number;
  /** The most tasks that can wait. Further ones are refused at once. */
  readonly waiting: number;
  /** Milliseconds that a task can wait. Default: no limit. */
  readonly maxWait?: number;
  /** Creates the error of a refused task. */
  readonly refusal: () => Error;
}

/** Lets a limited number of tasks run at once, first come first served. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** @throws the refusal when too many wait, or no slot is free in time */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#wait();
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  #wait(): Promise<void> {
    const { waiting, maxWait, refusal } = this.#limits;
    if (this.#waiting.size >= waiting) throw refusal();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const enter = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(enter);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(enter);
        reject(refusal());
      };
      if (maxWait !== undefined) timer = setTimeout(giveUp, maxWait);
      this.#waiting.add(enter);
    });
  }

  /** The slot passes to the task that has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
