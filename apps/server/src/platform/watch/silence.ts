/** The limits of both threads. */
export interface WatchLimits {
  /** Milliseconds between two heartbeats of the main thread, and between two checks. */
  readonly interval: number;
  /** Consecutive on-time checks without a heartbeat before the process is ended. */
  readonly looks: number;
}

/** The heartbeat value while the main thread is not watched. */
export const UNWATCHED = 0;

/** The part of an interval by which a check may be late and still count. */
const SLACK = 0.1;

/**
 * How long the main thread has been silent, in checks and not in time. Only checks that came on time count:
 * while the process is suspended, or gets no CPU, its checks are late too, and it has not been silent.
 */
export class Silence {
  readonly #limits: WatchLimits;
  #lookedAt: number;
  #heartbeat = UNWATCHED;
  #inVain = 0;

  /** @param now milliseconds of any clock. */
  constructor(limits: WatchLimits, now: number) {
    this.#limits = limits;
    this.#lookedAt = now;
  }

  /** One check. True when the silence is too long. */
  look(heartbeat: number, now: number): boolean {
    const isOnTime = now - this.#lookedAt <= this.#limits.interval * (1 + SLACK);
    this.#lookedAt = now;
    if (heartbeat === UNWATCHED || heartbeat !== this.#heartbeat) this.#inVain = 0;
    else if (isOnTime) this.#inVain += 1;
    this.#heartbeat = heartbeat;
    return this.#inVain >= this.#limits.looks;
  }
}
