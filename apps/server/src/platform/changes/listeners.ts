import type { ChangeSet } from './changes.ts';

/** The listeners of one node. One that throws does not stop the others from being called. */
export class Listeners {
  readonly #listeners = new Set<(changes: ChangeSet) => void>();

  subscribe(listener: (changes: ChangeSet) => void): () => void {
    // Wrapped, so that subscribing one function twice makes two subscriptions.
    const entry = (changes: ChangeSet): void => listener(changes);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(changes: ChangeSet): void {
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
