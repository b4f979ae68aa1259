import type { Store } from '../platform/database/store.ts';
import { touchTokens } from './tokens.ts';

const FLUSH_MS = 10_000;

/** Tokens kept for the next write when one fails. */
const MAX_WAITING = 10_000;

/** Writes `lastUsedAt` behind the caller's back: at most once a minute per token, many in one statement. */
export interface TokenUsage {
  note(tokenId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createTokenUsage(store: Store, onError: (error: unknown) => void): TokenUsage {
  const notedMinute = new Map<string, number>();
  let waiting = new Set<string>();

  const flush = async () => {
    if (waiting.size === 0) return;
    const ids = [...waiting];
    waiting = new Set();
    try {
      await touchTokens(store.db, ids);
    } catch (error) {
      for (const id of ids) if (waiting.size < MAX_WAITING) waiting.add(id);
      throw error;
    }
  };
  const forgetOldMinutes = () => {
    const minute = currentMinute();
    for (const [id, noted] of notedMinute) if (noted < minute) notedMinute.delete(id);
  };
  const timer = setInterval(() => {
    forgetOldMinutes();
    flush().catch(onError);
  }, FLUSH_MS);
  timer.unref();

  return {
    note(tokenId) {
      const minute = currentMinute();
      if (notedMinute.get(tokenId) === minute) return;
      notedMinute.set(tokenId, minute);
      waiting.add(tokenId);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000);
}
