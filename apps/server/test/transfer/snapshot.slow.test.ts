import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { runRequest } from '../../src/control/requests.ts';
import { lockDirectory } from '../../src/platform/database/directory-lock.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { openServed } from '../../src/transfer/open-source.ts';
import { takeSnapshot } from '../../src/transfer/snapshot.ts';
import { preparedTestDatabase } from '../support/database.ts';
import { use } from '../support/use.ts';
import { temporaryDirectory } from './support/databases.ts';

vi.setConfig({ testTimeout: 120_000 });

const dataDir = temporaryDirectory();
const store = use(async () =>
  openDatabase({ dataDir }, { preparedDatabase: await preparedTestDatabase() }),
);

const countsSchema = z.object({ a: z.number(), b: z.number() });

/** How long to wait for writes, on a busy machine. */
const WITHIN = { timeout: 30_000 };

/** Writes one row into each of two tables in one transaction. */
function writePair(number: number): Promise<void> {
  return store.transaction(async ({ db }) => {
    await db.keyCheck.create({ data: { keyId: `pair-${number}`, sealed: Buffer.of(1) } });
    await db.oauthState.create({
      data: { id: `pair-${number}`, payload: {}, createdAt: new Date(), expiresAt: new Date() },
    });
  });
}

/** Writes pairs until it is stopped. */
function writePairs(): { acknowledged(): number; stop(): Promise<void> } {
  let [acknowledged, isStopped] = [0, false];
  const done = (async () => {
    while (!isStopped) {
      await writePair(acknowledged);
      acknowledged += 1;
      // As requests come: the embedded database itself never lets the event loop turn.
      await delay(5);
    }
  })();
  // Nothing awaits a failure until it is stopped.
  done.catch(() => undefined);
  return {
    acknowledged: () => acknowledged,
    stop: () => {
      isStopped = true;
      return done;
    },
  };
}

async function countsInCopy(): Promise<{ a: number; b: number }> {
  const copy = await openServed(dataDir, copyInto);
  try {
    const [found] = await copy.query(
      `SELECT (SELECT count(*)::int FROM "KeyCheck") AS "a", (SELECT count(*)::int FROM "OauthState") AS "b"`,
    );
    return countsSchema.parse(found);
  } finally {
    await copy.close();
  }
}

function copyInto(folder: string): Promise<void> {
  if (store.copyFiles === undefined) throw new Error('The store is in memory.');
  return store.copyFiles(folder);
}

describe('a copy of the database that a server uses', () => {
  it('has whole transactions, all that were acknowledged before it, while others are written', async () => {
    const load = writePairs();
    try {
      await expect.poll(load.acknowledged, WITHIN).toBeGreaterThan(10);
      for (let round = 0; round < 2; round += 1) {
        const before = load.acknowledged();
        const counts = await countsInCopy();
        expect(counts.a).toBe(counts.b);
        expect(counts.a).toBeGreaterThanOrEqual(before);
      }
      await expect.poll(load.acknowledged, WITHIN).toBeGreaterThan(load.acknowledged());
    } finally {
      await load.stop();
    }
    expect(readdirSync(dataDir).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
  });

  it('lets statements wait until all files are copied', async () => {
    const folder = 'snapshot-order';
    mkdirSync(join(dataDir, folder));
    const order: string[] = [];
    const copied = copyInto(folder).then(() => order.push('copied'));
    while (!existsSync(join(dataDir, folder, 'database'))) await nextTurn();
    const answered = store.db.keyCheck.count().then(() => order.push('answered'));
    await Promise.all([copied, answered]);
    rmSync(join(dataDir, folder), { recursive: true });
    expect(order).toEqual(['copied', 'answered']);
  });

  it('is deleted when the command that made it was killed, and left alone while one reads it', async () => {
    const left = join(dataDir, 'snapshot-left');
    mkdirSync(left);
    writeFileSync(join(left, 'file'), 'x');
    const read = join(dataDir, 'snapshot-read');
    const lock = await lockDirectory(read);
    const snapshot = await takeSnapshot(dataDir, copyInto);
    await snapshot.remove();
    expect([existsSync(left), existsSync(read)]).toEqual([false, true]);
    await lock.release();
  });

  it('goes into a folder that a command has made, and nowhere else', async () => {
    const deps = { store } as Parameters<typeof runRequest>[0];
    for (const folder of ['..', '../elsewhere', 'database', 'snapshot-/../../x']) {
      await expect(runRequest(deps, 'copy-database', { folder })).rejects.toThrow(
        'The server does not understand this request.',
      );
    }
  });

  it('is refused by a server on PostgreSQL', async () => {
    const { copyFiles: _, ...other } = { ...store, kind: 'postgresql' as const };
    const deps = { store: other } as Parameters<typeof runRequest>[0];
    await expect(runRequest(deps, 'copy-database', { folder: 'snapshot-1' })).rejects.toThrow(
      'The server uses PostgreSQL. Set DATABASE_URL as the server has it.',
    );
  });
});
