import type { ChangeSet, Changes } from '../../../src/platform/changes/changes.ts';

/** Changes that a test speaks for the database. */
export class ControlledChanges implements Changes {
  fresh = true;
  readonly #listeners = new Set<(heard: ChangeSet) => void>();

  isFresh(): boolean {
    return this.fresh;
  }

  subscribe(listener: (heard: ChangeSet) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(heard: ChangeSet): void {
    for (const listener of this.#listeners) listener(heard);
  }
}
