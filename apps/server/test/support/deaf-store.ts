import type { Change, ChangeSet, Changes } from '../../src/platform/changes/changes.ts';
import type { Store } from '../../src/platform/database/store.ts';

/** A store of a node that loses announcements. */
export interface DeafStore {
  /** Those that it does not hear. */
  isLost: (change: Change) => boolean;
  wrap(store: Store): Store;
  /** It listens again, and knows that it has missed some. */
  listenAgain(): void;
}

export function deafStore(): DeafStore {
  const reacting = new Set<(changes: ChangeSet) => void>();
  const hearing = (changes: Changes): Changes => ({
    isFresh: () => changes.isFresh(),
    subscribe(subscriber) {
      if ('drop' in subscriber) return changes.subscribe(subscriber);
      const { react } = subscriber;
      reacting.add(react);
      const unsubscribe = changes.subscribe({
        react: (set) => {
          const heard = set === 'everything' ? set : set.filter((change) => !deaf.isLost(change));
          if (heard.length > 0) react(heard);
        },
      });
      return () => {
        reacting.delete(react);
        unsubscribe();
      };
    },
  });
  const deaf: DeafStore = {
    isLost: () => false,
    wrap: (store) => ({ ...store, changes: hearing(store.changes) }),
    listenAgain() {
      for (const react of reacting) react('everything');
    },
  };
  return deaf;
}
