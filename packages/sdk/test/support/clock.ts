import type { Clock } from '../../src/transport/clock.ts';

/** A clock that moves only by the sleeps asked of it, and remembers them. */
export interface FakeClock extends Clock {
  readonly sleeps: number[];
  /** Moves on without a sleep, as a slow answer would make it. */
  pass(milliseconds: number): void;
}

/** A clock at a fixed time. Its random number is always `random`, by default the highest. */
export function fakeClock(random = 1): FakeClock {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => time,
    random: () => random,
    pass(milliseconds) {
      time += milliseconds;
    },
    async sleep(milliseconds) {
      sleeps.push(milliseconds);
      time += milliseconds;
    },
  };
}
