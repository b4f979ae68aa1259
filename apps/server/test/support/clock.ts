import { beforeAll, vi } from 'vitest';
import { afterFile } from './after-file.ts';

/** A clock that stands still unless a test moves it. */
export interface StoppedClock {
  pass(milliseconds: number): void;
}

/**
 * Stops the monotonic clock (`performance.now`) for the tests of this block and the rest of the file.
 * Timers, dates and the database's clock go on.
 */
export function useStoppedClock(): StoppedClock {
  let now = 0;
  beforeAll(() => {
    // Whole milliseconds, because the difference of two fractions may be a little less than what has passed.
    now = Math.ceil(performance.now());
    const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
    // Not at the end of the block: time would go back for what its tests opened.
    afterFile(() => spy.mockRestore());
  });
  return {
    pass(milliseconds) {
      now += milliseconds;
    },
  };
}
