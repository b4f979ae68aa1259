import type { Db } from '../platform/database/store.ts';
import { WriteBehind } from '../platform/write-behind.ts';
import { writeUses } from './activity-writes.ts';
import type { HeldAggregateSession } from './aggregate-session.ts';

/** Milliseconds between two writes. */
const WRITE_EVERY = 1_000;

/** Milliseconds between two writes for one session at least, unless sessions expire soon. */
const NOTED_EVERY = 15_000;

const BATCH = 1_000;
const MAX_WAITING = 50_000;

export interface AggregateSessionUsesOptions {
  readonly db: Db;
  /** Milliseconds of silence after which a session expires. */
  readonly ttl: number;
  readonly onError: (error: unknown) => void;
}

/** Writes when aggregate sessions were last used, behind. */
export class AggregateSessionUses {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #every: number;
  readonly #writer: WriteBehind<HeldAggregateSession>;

  constructor({ db, ttl, onError }: AggregateSessionUsesOptions) {
    this.#db = db;
    this.#onError = onError;
    this.#every = Math.min(NOTED_EVERY, ttl / 4);
    this.#writer = new WriteBehind({
      interval: WRITE_EVERY,
      batchSize: BATCH,
      maxWaiting: MAX_WAITING,
      write: (batch) => this.#write([...batch.values()]),
      onError,
    });
  }

  note(held: HeldAggregateSession): void {
    const now = performance.now();
    held.usedAt = now;
    if (now - held.notedAt < this.#every) return;
    held.notedAt = now;
    this.#writer.add(held.session.id, held);
  }

  /** Writes what waits now. Errors go to `onError`. */
  flush(): Promise<void> {
    return this.#writer.flush().catch(this.#onError);
  }

  /** Writes what waits and stops. @throws when that fails. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  #write(used: readonly HeldAggregateSession[]): Promise<ReadonlySet<string>> {
    const now = performance.now();
    const ages = used.map(({ session, usedAt }) => ({ id: session.id, age: now - usedAt }));
    return writeUses(this.#db, ages);
  }
}
