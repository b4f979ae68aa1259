export interface WriteBehindOptions<V> {
  /** Milliseconds between two writes. */
  readonly interval: number;
  /** The most values in one call of `write`. */
  readonly batchSize: number;
  /** The most values that wait; more are lost. */
  readonly maxWaiting: number;
  /** What waits for a key that has an older value. @defaultValue the newer value */
  readonly merge?: (older: V, newer: V) => V;
  /** Runs before each write and adds what has become due since the last one. */
  readonly collect?: () => void;
  /**
   * Writes one batch, in the order in which its keys were first added.
   *
   * @returns the keys it skipped, if any, because another transaction is writing them: they wait for
   *   the next write, and are given up at the last one.
   */
  readonly write: (batch: ReadonlyMap<string, V>) => Promise<ReadonlySet<string> | undefined>;
  /** The timer's write failed and will be tried again, or values were lost (`LostWritesError`). */
  readonly onError: (error: unknown) => void;
}

/** These values will not be written: too many waited, or the last write failed. */
class LostWritesError extends Error {
  override readonly name = 'LostWritesError';
  readonly count: number;

  constructor(count: number) {
    super(`${count} values were not written.`);
    this.count = count;
  }
}

/**
 * Writes values in batches on a timer, so that requests do not wait for them. One value waits for each
 * key: a newer one replaces it, or is merged with it. A batch that fails waits for the next write, with what
 * has been added for its keys by then. Writes never overlap.
 */
export class WriteBehind<V> {
  readonly #options: WriteBehindOptions<V>;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<string, V>();
  /** Never rejects. */
  #lastWrite: Promise<void> = Promise.resolve();
  #isWriting = false;
  #closing: Promise<void> | undefined;
  #isClosing = false;
  #isClosed = false;
  #lost = 0;
  #reportedLost = 0;

  constructor(options: WriteBehindOptions<V>) {
    this.#options = options;
    this.#timer = setInterval(() => {
      // A write that takes longer than the interval is not queued up behind.
      if (!this.#isWriting) this.flush().catch(options.onError);
    }, options.interval);
    this.#timer.unref();
  }

  /** Values lost so far; `onError` is called once for each write that finds more of them. */
  get lost(): number {
    return this.#lost;
  }

  /** Whether a value of that key waits; not while it is being written. */
  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  add(key: string, value: V): void {
    const { maxWaiting, merge } = this.#options;
    const older = this.#waiting.get(key);
    const isFull = this.#waiting.size >= maxWaiting && !this.#waiting.has(key);
    if (isFull || this.#isClosed) this.#lost += 1;
    else this.#waiting.set(key, merge && older !== undefined ? merge(older, value) : value);
  }

  /**
   * Writes the values that wait now, after the current write.
   *
   * @throws what `write` threw; the values wait for the next write.
   */
  flush(): Promise<void> {
    const flushed = this.#lastWrite.then(() => this.#writeWaiting());
    this.#lastWrite = flushed.catch(() => undefined);
    return flushed;
  }

  /**
   * Writes the waiting values once, and stops. Values that fail then, or are added later, are lost.
   *
   * @throws what `write` threw.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosing = true;
    try {
      await this.flush();
    } finally {
      this.#isClosed = true;
      this.#lost += this.#waiting.size;
      this.#waiting.clear();
      this.#reportLost();
    }
  }

  async #writeWaiting(): Promise<void> {
    if (this.#isClosed) return;
    this.#isWriting = true;
    try {
      this.#options.collect?.();
      await this.#writeBatches();
    } finally {
      this.#isWriting = false;
      this.#reportLost();
    }
  }

  async #writeBatches(): Promise<void> {
    const { batchSize, write } = this.#options;
    const entries = [...this.#waiting];
    this.#waiting.clear();
    const skipped: [string, V][] = [];
    let start = 0;
    try {
      for (; start < entries.length; start += batchSize) {
        const batch = entries.slice(start, start + batchSize);
        const skippedKeys = await write(new Map(batch));
        if (skippedKeys) skipped.push(...batch.filter(([key]) => skippedKeys.has(key)));
      }
    } finally {
      const left = entries.slice(start);
      this.#putBack(this.#isClosing ? left : [...skipped, ...left]);
    }
  }

  /**
   * Puts values back before those added since, to keep the order. The newest are lost when there are too
   * many.
   */
  #putBack(older: readonly (readonly [string, V])[]): void {
    if (older.length === 0) return;
    const newer = this.#waiting;
    this.#waiting = new Map(older);
    for (const [key, value] of newer) this.add(key, value);
  }

  #reportLost(): void {
    const count = this.#lost - this.#reportedLost;
    if (count === 0) return;
    this.#reportedLost = this.#lost;
    this.#options.onError(new LostWritesError(count));
  }
}
