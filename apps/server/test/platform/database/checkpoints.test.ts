import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { preparedTestDatabase } from '../../support/database.ts';

vi.setConfig({ testTimeout: 240_000 });

const SEGMENT = /^[\dA-F]{24}$/;

it('deletes the log of an embedded database while it is used', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-checkpoints-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const preparedDatabase = await preparedTestDatabase();
  const store = await openDatabase({ dataDir }, { preparedDatabase, checkpointEvery: 500 });
  const log = () => readdirSync(join(dataDir, 'database/pg_wal')).filter((n) => SEGMENT.test(n));
  const [first = ''] = log();
  for (let number = 0; number < 4; number += 1) {
    await store.db.$executeRaw`
      INSERT INTO "OauthState" SELECT ${number}::text || '-' || n, to_jsonb(repeat('x', 1000)), now(), now()
      FROM generate_series(1, 100) n`;
    await store.db.$queryRaw`SELECT pg_switch_wal()::text`;
  }
  await expect.poll(log, { timeout: 30_000 }).toHaveLength(1);
  expect(log()).not.toContain(first);
  await store.close();
});
