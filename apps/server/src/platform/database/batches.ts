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
  /** Resolves after this many milliseconds. */
  readonly rest?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Changes any number of rows in batches, and pauses after each for as long as it took. The duration of
 * a batch determines the size of the next.
 *
 * @param change changes at most this many rows. @returns the number it changed; fewer than the limit
 *   means that it is done.
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
