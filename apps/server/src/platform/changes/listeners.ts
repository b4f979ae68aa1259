import type { Heard } from './changes.ts';

/** The listeners of one node. A listener that throws does not keep the others from hearing. */
export class Listeners {
  readonly #listeners = new Set<(heard: Heard) => void>();

  subscribe(listener: (heard: Heard) => void): () => void {
    // Wrapped, so that subscribing one function twice makes two subscriptions.
    const entry = (heard: Heard): void => listener(heard);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(heard: Heard): void {
    for (const listener of this.#listeners) {
      try {
        listener(heard);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
