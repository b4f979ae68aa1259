/** Another person has signed in with this browser than the one for whom this page was opened. */
export class OtherPersonError extends Error {
  override readonly name = 'OtherPersonError';
}

export interface OnePerson {
  /** @throws OtherPersonError for anyone but the first */
  check(userId: string): void;
  /** Whether another one has been met. */
  hasOther(): boolean;
  /** Calls `watcher` when one is. Returns what ends that. */
  subscribe(watcher: () => void): () => void;
}

/** The first person whom a page meets. It must do nothing as another one: what is typed in it is not theirs. */
export function createOnePerson(): OnePerson {
  const watchers = new Set<() => void>();
  let first: string | undefined;
  let isOther = false;
  return {
    check(userId) {
      first ??= userId;
      if (first === userId) return;
      isOther = true;
      for (const watcher of watchers) watcher();
      throw new OtherPersonError('Another person has signed in with this browser.');
    },
    hasOther: () => isOther,
    subscribe(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
