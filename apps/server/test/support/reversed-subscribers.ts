import { vi } from 'vitest';
import type { ChangeSet, Subscriber } from '../../src/platform/changes/changes.ts';

type ListenersModule = typeof import('../../src/platform/changes/listeners.ts');

// A setup file of vitest.config.ts: a change reaches its subscribers in the reversed order of their subscriptions.
vi.mock('../../src/platform/changes/listeners.ts', async (original) => {
  const { Listeners } = await original<ListenersModule>();
  class ReversedListeners extends Listeners {
    readonly #entries = new Set<{ readonly subscriber: Subscriber }>();

    override subscribe(subscriber: Subscriber): () => void {
      const entry = { subscriber };
      this.#entries.add(entry);
      return () => void this.#entries.delete(entry);
    }

    override emit(changes: ChangeSet): void {
      const reversed = new Listeners();
      for (const { subscriber } of [...this.#entries].reverse()) reversed.subscribe(subscriber);
      reversed.emit(changes);
    }
  }
  return { Listeners: ReversedListeners };
});
