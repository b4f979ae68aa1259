/** Time and randomness, so that tests can control both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** At least 0 and less than 1. */
  random(): number;
  /** Resolves after the given milliseconds. Clears its timer when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The clock of the platform. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }),
};
