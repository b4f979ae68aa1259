import type { Store } from '../../platform/database/store.ts';
import { InHand } from '../../platform/in-hand.ts';

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
  /** The keys of requests, and who has cancelled them. */
  readonly #waiting = new Map<string, string>();
  readonly #ofPerson = new InHand();
  #isBusy = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<Store, 'transaction'>, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** @param key of the request among all sessions */
  announce(key: string, personId: string): void {
    if (this.#waiting.has(key) || this.#waiting.size >= MAX_WAITING) return;
    if (!this.#ofPerson.begin(personId, MAX_OF_PERSON)) return;
    this.#waiting.set(key, personId);
    this.#sendSoon();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#isBusy = true;
  }

  #sendSoon(): void {
    if (this.#isBusy || this.#waiting.size === 0) return;
    this.#isBusy = true;
    void this.#send().finally(() => {
      this.#timer = setTimeout(() => {
        this.#isBusy = false;
        this.#sendSoon();
      }, PAUSE).unref();
    });
  }

  async #send(): Promise<void> {
    const batch = [...this.#waiting].slice(0, BATCH);
    for (const [key, personId] of batch) {
      this.#waiting.delete(key);
      this.#ofPerson.end(personId);
    }
    const changes = batch.map(([id]) => ({ kind: 'cancellation', id }) as const);
    await this.#store
      .transaction(async ({ announce }) => announce(...changes))
      .catch(this.#onError);
  }
}
