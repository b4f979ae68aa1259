import type { ChangeSet, Subscriber } from './changes.ts';

type Listener = (changes: ChangeSet) => void;

/**
 * The subscribers of one node. Every cache has dropped the changed rows before anything reacts, so a
 * reaction never reads what the change has made stale. One that throws does not stop the others.
 */
export class Listeners {
  readonly #dropping = new Set<{ readonly call: Listener }>();
  readonly #reacting = new Set<{ readonly call: Listener }>();

  subscribe(subscriber: Subscriber): () => void {
    const phase = 'drop' in subscriber ? this.#dropping : this.#reacting;
    // An object, so that subscribing one function twice makes two subscriptions.
    const entry = { call: 'drop' in subscriber ? subscriber.drop : subscriber.react };
    phase.add(entry);
    return () => void phase.delete(entry);
  }

  emit(changes: ChangeSet): void {
    for (const { call } of this.#dropping) callSafely(call, changes);
    for (const { call } of this.#reacting) callSafely(call, changes);
  }
}

/** An error is thrown outside, as an uncaught exception. */
function callSafely(listener: Listener, changes: ChangeSet): void {
  try {
    listener(changes);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
