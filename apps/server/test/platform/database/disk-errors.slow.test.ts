import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toDatabaseUnavailable } from '../../../src/platform/database/database-failure.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import { preparedTestDatabase } from '../../support/database.ts';
import { type DiskFault, insertFaultyDisk, SHORT_WRITE } from '../../support/faulty-disk.ts';

const LOG = /\/pg_wal\//;
const DATA = /\/base\/\d+\/\d+/;

const row = () => ({ ...createId(), name: 'x'.repeat(8_000) });

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
const empty = join(folder, 'empty');

beforeAll(async () => {
  const preparedDatabase = await preparedTestDatabase();
  await (await openDatabase({ dataDir: empty }, { preparedDatabase })).close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function openOnFaultyDisk() {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  cpSync(empty, dataDir, { recursive: true });
  const disk = insertFaultyDisk();
  onTestFinished(() => {
    disk.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const failures: unknown[] = [];
  const store = await openDatabase(
    { dataDir },
    { onFailure: (error) => void failures.push(error) },
  );
  return { dataDir, disk, failures, store };
}

/** Writes rows, and does `between` after every tenth, until one is refused. */
async function writeUntilRefused(store: Store, between: string) {
  const acknowledged: string[] = [];
  while (acknowledged.length < 100) {
    const data = row();
    try {
      await store.transaction(({ db }) => db.organization.create({ data }));
      acknowledged.push(data.id);
      if (acknowledged.length % 10 === 0) await store.db.$queryRawUnsafe(between);
    } catch (refusal) {
      return { acknowledged, refusal: toDatabaseUnavailable(refusal) ?? refusal };
    }
  }
  throw new Error('No write was refused.');
}

const CHECKPOINT = 'CHECKPOINT';
const NEXT_SEGMENT = 'SELECT pg_switch_wal()::text';

interface Case extends DiskFault {
  readonly where: string;
  /** The statement that leads there. */
  readonly between: string;
}

const logWrite = { where: 'a write of the log', call: 'writeSync', path: LOG } as const;
const dataWrite = { where: 'a write of a data file', call: 'writeSync', path: DATA } as const;
const logOpen = { where: 'opening a file of the log', call: 'openSync', path: LOG } as const;
const logMake = { where: 'making a file of the log', call: 'writeFileSync', path: LOG } as const;

const CASES: readonly Case[] = [
  ...['EIO', 'EDQUOT', 'EROFS', 'ENOSPC', SHORT_WRITE, 'ESTALE'].flatMap((code) => [
    { code, ...logWrite, between: CHECKPOINT },
    { code, ...dataWrite, between: CHECKPOINT },
  ]),
  ...['EIO', 'EMFILE'].flatMap((code) => [
    { code, ...logOpen, between: NEXT_SEGMENT },
    { code, ...logMake, between: NEXT_SEGMENT },
  ]),
];

describe('a disk that fails', () => {
  it.each(CASES)(
    'ends the write in 503 and loses nothing that was acknowledged: $code in $where',
    async ({ between, ...fault }) => {
      const { dataDir, disk, failures, store } = await openOnFaultyDisk();
      const { id } = await store.db.organization.create({ data: row() });
      disk.fail(fault);
      const { acknowledged, refusal } = await writeUntilRefused(store, between);
      expect(refusal).toMatchObject({ code: 'database_unavailable' });
      const reason = fault.code === SHORT_WRITE ? 'ENOSPC' : fault.code;
      expect(failures).toMatchObject([{ reason }]);
      const further: unknown = await store.db.organization.count().catch((error: unknown) => error);
      expect(toDatabaseUnavailable(further)?.code).toBe('database_unavailable');
      await store.close().catch(() => undefined);

      disk.mend();
      const next = await openDatabase({ dataDir });
      const found = await next.db.organization.findMany({ select: { id: true } });
      expect(found.map((row) => row.id)).toEqual(expect.arrayContaining([id, ...acknowledged]));
      await next.db.organization.create({ data: row() });
      await next.close();
    },
  );

  it('does not acknowledge a statement without a transaction', async () => {
    const { dataDir, disk, store } = await openOnFaultyDisk();
    disk.fail({ code: 'EIO', call: 'writeSync', path: LOG });
    const refusal: unknown = await store.db.organization
      .create({ data: row() })
      .catch((error: unknown) => error);
    expect(toDatabaseUnavailable(refusal)?.code).toBe('database_unavailable');
    await store.close().catch(() => undefined);
    disk.mend();
    const next = await openDatabase({ dataDir });
    expect(await next.db.organization.count()).toBe(0);
    await next.close();
  });

  it('cannot fail at an fsync, because PGlite never calls it', async () => {
    const { disk, store } = await openOnFaultyDisk();
    await store.db.organization.create({ data: row() });
    await store.db.$queryRawUnsafe(CHECKPOINT);
    await store.close();
    expect(disk.called).toContain('writeSync');
    expect(disk.called).not.toContain('fsyncSync');
    expect(disk.called).not.toContain('fdatasyncSync');
  });
});
