import { setTimeout as delay } from 'node:timers/promises';

/** Rows in one batch. */
const FIRST = 100;
const SMALLEST = 10;
const LARGEST = 5_000;

/** Milliseconds that a batch should take: the embedded database holds the process meanwhile, and a row that is being changed is locked. */
const TARGET = 20;

export interface BatchOptions {
  /** Ends it after the batch that is running. */
  readonly signal?: AbortSignal | undefined;
  /** Resolves after so many milliseconds. */
  readonly rest?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Changes any number of rows a batch at a time, and rests after each for as long as it took. The size of a
 * batch follows from how long the one before it took.
 *
 * @param change changes so many rows at most. @returns the number that it changed; fewer than it might
 *   have means that none is left.
 */
export async function inBatches(
  change: (size: number) => Promise<number>,
  { signal, rest = delay }: BatchOptions = {},
): Promise<void> {
  let size = FIRST;
  while (signal?.aborted !== true) {
    const begun = performance.now();
    if ((await change(size)) < size) return;
    const took = performance.now() - begun;
    size = nextSize(size, took);
    await rest(took);
  }
}

function nextSize(size: number, took: number): number {
  const fitting = Math.round((size * TARGET) / Math.max(took, 1));
  return Math.min(Math.max(fitting, Math.floor(size / 4), SMALLEST), size * 2, LARGEST);
}
