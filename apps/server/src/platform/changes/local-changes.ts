import type { Announcement, Announcer, Change, Changes, Subscriber } from './changes.ts';
import { Listeners } from './listeners.ts';

/** The changes of an embedded database: its one process sees every write and is always fresh. */
export class LocalChanges implements Changes, Announcer {
  readonly #listeners = new Listeners();

  isFresh(): boolean {
    return true;
  }

  subscribe(subscriber: Subscriber): () => void {
    return this.#listeners.subscribe(subscriber);
  }

  prepare(changes: readonly Change[]): Announcement {
    return {
      notifications: [],
      committed: () => {
        if (changes.length > 0) this.#listeners.emit(changes);
      },
      abandoned: () => {},
    };
  }
}
