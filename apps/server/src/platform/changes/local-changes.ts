import type { Announcement, Announcer } from './announcer.ts';
import type { Change, ChangeSet, Changes } from './changes.ts';
import { Listeners } from './listeners.ts';

/** The changes of an embedded database: its one process sees every write and is always fresh. */
export class LocalChanges implements Changes, Announcer {
  readonly #listeners = new Listeners();

  isFresh(): boolean {
    return true;
  }

  subscribe(listener: (changes: ChangeSet) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  prepare(changes: readonly Change[]): Announcement {
    return {
      notifications: [],
      committed: () => this.#listeners.emit(changes),
      abandoned: () => {},
    };
  }
}
