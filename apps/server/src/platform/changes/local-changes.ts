import type { Announcement, Announcer } from './announcer.ts';
import type { Change, Changes, Heard } from './changes.ts';
import { Listeners } from './listeners.ts';

/** The changes of an embedded store: one process, which hears what it writes and is always fresh. */
export class LocalChanges implements Changes, Announcer {
  readonly #listeners = new Listeners();

  isFresh(): boolean {
    return true;
  }

  subscribe(listener: (heard: Heard) => void): () => void {
    return this.#listeners.subscribe(listener);
  }

  async announce(_db: unknown, changes: readonly Change[]): Promise<Announcement> {
    return { committed: () => this.#listeners.emit(changes), abandoned: () => {} };
  }
}
