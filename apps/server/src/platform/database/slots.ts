import { databaseUnavailable } from './database-failure.ts';

export interface SlotLimits {
  /** How many may run at once. */
  readonly slots: number;
  /** How many may wait; those beyond are refused at once. */
  readonly maxWaiting: number;
  /** Milliseconds that one may wait. */
  readonly maxWait: number;
}

/** Lets a limited number of transactions run at once, in the order in which they came. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** @throws ProblemError `database_unavailable` when no slot is free in time, or too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.slots) this.#running += 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.size >= this.#limits.maxWaiting) throw databaseUnavailable();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(enter);
        reject(databaseUnavailable());
      }, this.#limits.maxWait);
      this.#waiting.add(enter);
    });
  }

  /** The slot passes to who has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
