export interface GroupCommitOptions<T> {
  /** The most items in one call of `write`. */
  readonly batchSize: number;
  /** Writes a batch in one transaction. @returns the items that it wrote. */
  readonly write: (batch: readonly T[]) => Promise<ReadonlySet<T>>;
}

/**
 * Milliseconds that a batch waits for more, after one that had several items. A statement costs more than
 * its items do; a caller that writes alone does not wait.
 */
const GATHER = 2;

interface Waiting<T> {
  readonly item: T;
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the items of concurrent callers in one transaction. Batches never overlap: items added during one
 * form the next.
 */
export class GroupCommit<T> {
  readonly #options: GroupCommitOptions<T>;
  #waiting: Waiting<T>[] = [];
  #isRunning = false;
  #lastSize = 0;

  constructor(options: GroupCommitOptions<T>) {
    this.#options = options;
  }

  /**
   * Resolves once the batch of this item has been committed.
   *
   * @returns whether the batch wrote the item.
   * @throws what `write` threw.
   */
  add(item: T): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) this.#schedule();
    });
  }

  #schedule(): void {
    this.#isRunning = true;
    const run = () => void this.#run();
    if (this.#lastSize > 1) setTimeout(run, GATHER);
    else setImmediate(run);
  }

  async #run(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#options.batchSize);
    this.#lastSize = batch.length;
    try {
      const written = await this.#options.write(batch.map(({ item }) => item));
      for (const { item, resolve } of batch) resolve(written.has(item));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#isRunning = false;
    if (this.#waiting.length > 0) this.#schedule();
  }
}
