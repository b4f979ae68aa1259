import { LRUCache } from 'lru-cache';
import {
  type Change,
  type ChangeKind,
  type ChangeSet,
  rowKey,
} from '../../../platform/changes/changes.ts';
import type { Store } from '../../../platform/database/store.ts';
import { WriteBehind } from '../../../platform/write-behind.ts';

const KINDS: ReadonlySet<ChangeKind> = new Set(['tools', 'lists']);
const MAX_NOTED = 10_000;

/** Milliseconds between two announcements to the other nodes. */
const ANNOUNCE_EVERY = 250;

/** Changes in one announcement. */
const BATCH = 1_000;

export interface ListChangesDeps {
  readonly store: Pick<Store, 'changes' | 'transaction'>;
  readonly onError: (error: unknown) => void;
}

/**
 * When lists of integrations have last changed: what is known of their tools, on which rules about definitions depend, and
 * what they themselves announce to a person, on whichever node that person's stream is.
 */
export class ListChanges {
  readonly #changedAt = new LRUCache<string, number>({ max: MAX_NOTED });
  /** Of those that are not noted. */
  #allChangedAt = Number.NEGATIVE_INFINITY;
  readonly #announcements: WriteBehind<Change>;
  readonly #unsubscribe: () => void;

  constructor({ store, onError }: ListChangesDeps) {
    this.#unsubscribe = store.changes.subscribe({ drop: (changeSet) => this.#note(changeSet) });
    this.#announcements = new WriteBehind({
      interval: ANNOUNCE_EVERY,
      batchSize: BATCH,
      maxWaiting: MAX_NOTED,
      write: (batch) =>
        store.transaction(async ({ announce }) => {
          announce(...batch.values());
          return undefined;
        }),
      onError,
    });
  }

  /** Holds on this node at once, and on the others soon. */
  announce(change: Change): void {
    this.#note([change]);
    this.#announcements.add(rowKey(change), change);
  }

  /** @param time by the clock of `performance` */
  haveComeSince(time: number, change: Change): boolean {
    const changedAt = this.#changedAt.get(rowKey(change)) ?? Number.NEGATIVE_INFINITY;
    return Math.max(changedAt, this.#allChangedAt) >= time;
  }

  close(): Promise<void> {
    this.#unsubscribe();
    return this.#announcements.close();
  }

  #note(changeSet: ChangeSet): void {
    const now = performance.now();
    if (changeSet === 'everything') this.#allChangedAt = now;
    else {
      for (const change of changeSet) {
        if (KINDS.has(change.kind)) this.#changedAt.set(rowKey(change), now);
      }
    }
  }
}
