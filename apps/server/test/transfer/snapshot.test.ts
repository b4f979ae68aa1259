import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runRequest } from '../../src/control/run-request.ts';
import { lockDirectory } from '../../src/platform/database/directory-lock.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import type { Store } from '../../src/platform/database/store.ts';
import { openServed } from '../../src/transfer/open-source.ts';
import { takeSnapshot } from '../../src/transfer/snapshot.ts';
import { preparedTestDatabase } from '../support/database.ts';
import { use } from '../support/use.ts';
import { temporaryDirectory } from './support/databases.ts';

const dataDir = temporaryDirectory();
const store = use(async () =>
  openDatabase({ dataDir }, { preparedDatabase: await preparedTestDatabase() }),
);

const countsSchema = z.array(z.object({ a: z.number(), b: z.number() }));

/** Writes one row into each of two tables in one transaction. */
function writePair(to: Store, number: number): Promise<void> {
  return to.transaction(async ({ db }) => {
    await db.keyCheck.create({ data: { keyId: `pair-${number}`, sealed: Buffer.of(1) } });
    await db.oauthState.create({
      data: { id: `pair-${number}`, payload: {}, createdAt: new Date(), expiresAt: new Date() },
    });
  });
}

function copyInto(folder: string): Promise<void> {
  if (store.copyFiles === undefined) throw new Error('The store is in memory.');
  return store.copyFiles(folder);
}

describe('a copy of the database that a server uses', () => {
  it('has whole transactions, all that were acknowledged before it, while others are written', async () => {
    let [acknowledged, isStopped] = [0, false];
    const writing = (async () => {
      for (let number = 0; !isStopped; number += 1) {
        await writePair(store, number);
        acknowledged += 1;
      }
    })();
    await expect.poll(() => acknowledged).toBeGreaterThan(10);
    for (let round = 0; round < 3; round += 1) {
      const before = acknowledged;
      const copy = await openServed(dataDir, copyInto);
      const [counts] = countsSchema.parse(
        await copy.query(
          `SELECT (SELECT count(*)::int FROM "KeyCheck") AS "a", (SELECT count(*)::int FROM "OauthState") AS "b"`,
        ),
      );
      await copy.close();
      expect(counts?.a).toBe(counts?.b);
      expect(counts?.a).toBeGreaterThanOrEqual(before);
    }
    const during = acknowledged;
    await expect.poll(() => acknowledged).toBeGreaterThan(during);
    isStopped = true;
    await writing;
    expect(readdirSync(dataDir).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
  });

  it('does not have what a transaction that is open has written', async () => {
    await store.transaction(async ({ db }) => {
      await db.keyCheck.create({ data: { keyId: 'open', sealed: Buffer.of(1) } });
      const folder = 'snapshot-open';
      mkdirSync(join(dataDir, folder));
      // The checkpoint waits for the transaction, so that it is over when the files are copied.
      const copied = copyInto(folder);
      await db.keyCheck.delete({ where: { keyId: 'open' } });
      void copied;
    });
    await expect.poll(() => existsSync(join(dataDir, 'snapshot-open', 'database', 'PG_VERSION'))).toBe(true);
  });

  it('is deleted when the command that made it was killed, and left alone while one reads it', async () => {
    const [left, read] = ['snapshot-left', 'snapshot-read'].map((name) => join(dataDir, name));
    mkdirSync(left ?? '');
    writeFileSync(join(left ?? '', 'file'), 'x');
    const lock = await lockDirectory(read ?? '');
    const snapshot = await takeSnapshot(dataDir, copyInto);
    await snapshot.remove();
    // Locks are of processes: what this process reads looks free to it.
    await lock.release();
    expect(existsSync(left ?? '')).toBe(false);
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
