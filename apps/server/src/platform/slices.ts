import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds. */
const SLICE = 5;

/** Divides long work, so that other requests get their turn in between. */
export class Slices {
  #since = performance.now();

  /** Whether the work has gone on for long enough, so that `pause` is due. */
  get isOver(): boolean {
    return performance.now() - this.#since > SLICE;
  }

  async pause(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
