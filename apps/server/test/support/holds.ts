import { existsSync, readFileSync } from 'node:fs';

/** Nanoseconds that the thread of the caller has run. */
const THREAD = '/proc/thread-self/schedstat';

/**
 * Milliseconds of CPU so far: what other processes take on a busy machine does not count, nor do the threads in
 * which V8 collects garbage and compiles. Systems without `/proc` count these too.
 */
export const cpuNow = existsSync(THREAD)
  ? () => Number.parseInt(readFileSync(THREAD, 'latin1'), 10) / 1e6
  : () => process.cpuUsage().user / 1e3;

const MAX_RUNS = 10;

/**
 * The longest time in which nothing else had its turn. The least of three runs, or of more until it is below the
 * limit: collections, and on a busy machine what comes in at once, are in some.
 */
export async function longestHold(work: () => Promise<unknown>, limit = Infinity): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < MAX_RUNS && (run < 3 || least > limit); run += 1) {
    least = Math.min(least, await holdOf(work));
  }
  return least;
}

async function holdOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const tick = (before: number): void => {
    const now = cpuNow();
    longest = Math.max(longest, now - before);
    if (!isOver) setImmediate(tick, now);
  };
  setImmediate(tick, cpuNow());
  await work();
  isOver = true;
  return longest;
}
