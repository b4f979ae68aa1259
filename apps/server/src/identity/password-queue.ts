import { ProblemError } from '../platform/problem-error.ts';

export interface QueueLimits {
  readonly running: number;
  readonly waiting: number;
}

/** Runs a limited number of tasks at once, in the order in which they came, and refuses what is too much. */
export class PasswordQueue {
  readonly #limits: QueueLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** @throws ProblemError `overloaded` when too many wait already */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.running) this.#running += 1;
    else await this.#wait();
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#limits.waiting) {
      throw new ProblemError('overloaded', 'Many people are signing in just now. Try again soon.', {
        headers: { 'Retry-After': '5' },
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
