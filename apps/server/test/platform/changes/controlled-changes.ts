import {
  type ChangeSet,
  type Changes,
  Listeners,
  type Subscriber,
} from '../../../src/platform/changes/changes.ts';

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
