import type { Store } from '../platform/database/store.ts';
import { WriteBehind } from '../platform/write-behind.ts';
import { touchTokens } from './tokens.ts';

/** Milliseconds between two writes. */
const WRITE_EVERY = 10_000;

const MAX_WAITING = 10_000;

/** Writes the `lastUsedAt` of tokens behind: at most once a minute per token, all of them in one statement. */
export interface TokenUsage {
  note(tokenId: string): void;
  /** @throws when the database does; the uses wait for the next write. */
  flush(): Promise<void>;
  /** Writes what waits and stops. @throws when that fails. */
  close(): Promise<void>;
}

/** @param onError called when a write fails that will be tried again, and when uses are lost. */
export function createTokenUsage(store: Store, onError: (error: unknown) => void): TokenUsage {
  let minute = currentMinute();
  let notedThisMinute = new Set<string>();
  const writer = new WriteBehind<true>({
    interval: WRITE_EVERY,
    batchSize: MAX_WAITING,
    maxWaiting: MAX_WAITING,
    async write(uses) {
      await touchTokens(store.db, [...uses.keys()]);
      return undefined;
    },
    onError,
  });

  return {
    note(tokenId) {
      const now = currentMinute();
      if (now !== minute) {
        minute = now;
        notedThisMinute = new Set();
      }
      if (notedThisMinute.has(tokenId)) return;
      notedThisMinute.add(tokenId);
      writer.add(tokenId, true);
    },
    flush: () => writer.flush(),
    close: () => writer.close(),
  };
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000);
}
