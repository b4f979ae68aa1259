import type { Change, ChangeSet, Changes } from '../../../src/platform/changes/changes.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { testDatabaseKind } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { type Fixture, startGateway, type TestGateway } from '../fixture.ts';

/** Another gateway over the fixture's rows: on PostgreSQL with connections that it does not share. */
export function useOtherNode(
  fixture: Fixture,
  wrap: (store: Store) => Store = (store) => store,
): TestGateway {
  return use(async () => {
    const { server } = fixture;
    const isShared = testDatabaseKind === 'pglite';
    const store = isShared ? server.store : await server.store.openAnotherNode();
    return startGateway(wrap(store), { publicUrl: server.origin });
  });
}

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
