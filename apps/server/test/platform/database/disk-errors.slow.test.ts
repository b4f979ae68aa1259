import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDatabaseUnavailable } from '../../../src/platform/database/database-failure.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import { preparedTestDatabase } from '../../support/database.ts';
import {
  type DiskFault,
  type FaultyDisk,
  insertFaultyDisk,
  SHORT_WRITE,
} from '../../support/faulty-disk.ts';

const LOG = /\/pg_wal\//;
const DATA = /\/base\/\d+\/\d+/;

const row = () => ({ ...createId(), name: 'x'.repeat(8_000) });

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
const empty = join(folder, 'empty');

beforeAll(async () => {
  const preparedDatabase = await preparedTestDatabase();
  await (await openDatabase({ dataDir: empty }, { preparedDatabase })).close();
  disk = insertFaultyDisk();
});
afterAll(async () => {
  await recovered?.store.close();
  disk.remove();
  rmSync(folder, { recursive: true, force: true });
});

let disk: FaultyDisk;

interface Opened {
  readonly dataDir: string;
  readonly store: Store;
  readonly failures: readonly unknown[];
}

/** What a test leaves to the next one: a database that a fault has ended and that was opened again. */
let recovered: Opened | undefined;

async function open(dataDir: string): Promise<Opened> {
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  return { dataDir, failures, store: await openDatabase({ dataDir }, { onFailure }) };
}

async function openOnFaultyDisk(): Promise<Opened> {
  const opened = recovered;
  recovered = undefined;
  if (opened !== undefined) return opened;
  const dataDir = mkdtempSync(join(folder, 'data-'));
  cpSync(empty, dataDir, { recursive: true });
  return open(dataDir);
}

/** Opens the database on a disk without faults. */
async function recover({ store, dataDir }: Opened): Promise<Store> {
  await store.close().catch(() => undefined);
  disk.mend();
  recovered = await open(dataDir);
  return recovered.store;
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
      const opened = await openOnFaultyDisk();
      const { failures, store } = opened;
      const { id } = await store.db.organization.create({ data: row() });
      disk.fail(fault);
      const { acknowledged, refusal } = await writeUntilRefused(store, between);
      expect(refusal).toMatchObject({ code: 'database_unavailable' });
      const reason = fault.code === SHORT_WRITE ? 'ENOSPC' : fault.code;
      expect(failures).toMatchObject([{ reason }]);
      const further: unknown = await store.db.organization.count().catch((error: unknown) => error);
      expect(toDatabaseUnavailable(further)?.code).toBe('database_unavailable');

      const next = await recover(opened);
      const found = await next.db.organization.findMany({ select: { id: true } });
      expect(found.map((row) => row.id)).toEqual(expect.arrayContaining([id, ...acknowledged]));
      await next.db.organization.create({ data: row() });
    },
  );

  it('does not acknowledge a statement without a transaction', async () => {
    const opened = await openOnFaultyDisk();
    const { store } = opened;
    const before = await store.db.organization.count();
    disk.fail({ code: 'EIO', call: 'writeSync', path: LOG });
    const refusal: unknown = await store.db.organization
      .create({ data: row() })
      .catch((error: unknown) => error);
    expect(toDatabaseUnavailable(refusal)?.code).toBe('database_unavailable');
    expect(await (await recover(opened)).db.organization.count()).toBe(before);
  });

  it('cannot fail at an fsync, because PGlite never calls it', async () => {
    const { store } = await openOnFaultyDisk();
    await store.db.organization.create({ data: row() });
    await store.db.$queryRawUnsafe(CHECKPOINT);
    await store.close();
    expect(disk.called).toContain('writeSync');
    expect(disk.called).not.toContain('fsyncSync');
    expect(disk.called).not.toContain('fdatasyncSync');
  });
});
