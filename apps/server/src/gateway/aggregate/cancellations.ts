import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../platform/database/store.ts';

/** In one announcement. */
const BATCH = 64;

/** Of all people, and of one person, that wait to be announced. More are dropped: the protocol lets a request go on. */
const MAX_WAITING = 1_000;
const MAX_OF_PERSON = 16;

/** Milliseconds between two announcements: each costs every node a look at all of its open calls. */
const PAUSE = 100;

/** Tells the other nodes which requests their clients have cancelled. */
export class Cancellations {
  readonly #store: Pick<Store, 'transaction'>;
  readonly #onError: (error: unknown) => void;
  /** The person who has cancelled a request, by the key of the request. */
  readonly #waiting = new Map<string, string>();
  #isBusy = false;
  #isClosed = false;

  constructor(store: Pick<Store, 'transaction'>, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** @param key of the request among all sessions */
  announce(key: string, personId: string): void {
    if (this.#isClosed || this.#waiting.size >= MAX_WAITING) return;
    const own = [...this.#waiting.values()].filter((waiting) => waiting === personId);
    if (own.length >= MAX_OF_PERSON) return;
    this.#waiting.set(key, personId);
    if (!this.#isBusy) void this.#announceWaiting();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
  }

  async #announceWaiting(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.size > 0) {
      const keys = [...this.#waiting.keys()].slice(0, BATCH);
      for (const key of keys) this.#waiting.delete(key);
      const changes = keys.map((id) => ({ kind: 'cancellation', id }) as const);
      await this.#store.transaction(async (tx) => tx.announce(...changes)).catch(this.#onError);
      await pause(PAUSE, undefined, { ref: false });
    }
    this.#isBusy = false;
  }
}
