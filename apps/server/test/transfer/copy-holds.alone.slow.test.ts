import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { preparedTestDatabase } from '../support/database.ts';
import { use } from '../support/use.ts';
import { temporaryDirectory } from './support/databases.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Nanoseconds on a processor, nanoseconds of waiting for one, and slices, of the thread that reads it. */
const SCHEDSTAT = '/proc/thread-self/schedstat';

const dataDir = temporaryDirectory();
const store = use(async () =>
  openDatabase({ dataDir }, { preparedDatabase: await preparedTestDatabase() }),
);

/** Milliseconds that this thread has been at work. Waiting for a busy machine does not count. */
function worked(): number {
  return Number(readFileSync(SCHEDSTAT, 'utf8').split(' ')[0]) / 1e6;
}

/** Notes how long each turn of the event loop works. */
function watchTurns(): { stop(): number } {
  let [longest, last] = [0, worked()];
  const note = () => {
    const now = worked();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(note, 1);
  return {
    stop() {
      note();
      clearInterval(timer);
      return longest;
    },
  };
}

/** 200 MB. The last pages are still in memory, and a checkpoint writes them. */
async function fill(): Promise<void> {
  for (let number = 0; number < 20; number += 1) {
    await store.db.$executeRaw`
      INSERT INTO "OauthState"
      SELECT ${number}::text || '-' || n, to_jsonb(repeat(md5(n::text), 60)), now(), now()
      FROM generate_series(1, 5000) n`;
  }
}

it.skipIf(!existsSync(SCHEDSTAT))(
  'a copy of 200 MB never holds the event loop for 50 ms',
  async () => {
    await fill();
    mkdirSync(join(dataDir, 'snapshot-large'));
    const turns = watchTurns();
    await store.copyFiles?.('snapshot-large');
    const longest = turns.stop();
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(50);
  },
);
