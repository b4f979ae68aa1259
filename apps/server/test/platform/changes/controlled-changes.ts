import type { ChangeSet, Changes, Subscriber } from '../../../src/platform/changes/changes.ts';
import { Listeners } from '../../../src/platform/changes/listeners.ts';

/** Changes that a test speaks for the database. */
export class ControlledChanges implements Changes {
  fresh = true;
  readonly #listeners = new Listeners();

  isFresh(): boolean {
    return this.fresh;
  }

  subscribe(subscriber: Subscriber): () => void {
    return this.#listeners.subscribe(subscriber);
  }

  tell(heard: ChangeSet): void {
    this.#listeners.emit(heard);
  }
}
