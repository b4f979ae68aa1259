import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPgliteStore } from '../../../src/platform/database/create-store.ts';
import { toDatabaseUnavailable } from '../../../src/platform/database/database-failure.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { createId } from '../../../src/platform/ids.ts';
import { openPreparedPglite, preparedTestDatabase } from '../../support/database.ts';

/** A file system in memory of this many megabytes; `undefined` if it cannot be mounted. */
function mountDisk(megabytes: number): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
  const { status } = spawnSync('mount', [
    ...['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory],
  ]);
  onTestFinished(() => {
    if (status === 0) spawnSync('umount', ['-l', directory]);
    rmSync(directory, { recursive: true, force: true });
  });
  if (status === 0) return directory;
  process.stdout.write('No file system can be mounted here: a full disk is not tested.\n');
  return undefined;
}

/** Leaves no room on the disk; the returned file is what takes it. */
function fill(directory: string): string {
  const file = join(directory, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k']);
  return file;
}

const row = () => ({ ...createId(), name: 'x'.repeat(8_000) });

describe('a commit that fails', () => {
  let database: PGlite;
  beforeAll(async () => {
    database = await openPreparedPglite();
  });
  afterAll(() => database?.close());

  it('is not acknowledged', async () => {
    await database.exec(`
      CREATE TABLE "Parent" ("id" int PRIMARY KEY);
      CREATE TABLE "Child" ("id" int REFERENCES "Parent" DEFERRABLE INITIALLY DEFERRED)`);
    const store = createPgliteStore(database);
    const write = store.transaction(({ db }) => db.$executeRaw`INSERT INTO "Child" VALUES (1)`);
    await expect(write).rejects.toThrow('foreign key');
    expect(await store.db.$queryRaw`SELECT * FROM "Child"`).toEqual([]);
  });
});

describe('a disk that is full', () => {
  it('ends a write in 503 and is reported once; what was acknowledged is there at the next start', async (test) => {
    const dataDir = mountDisk(120);
    if (dataDir === undefined) return test.skip();
    const preparedDatabase = await preparedTestDatabase();
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => void failures.push(error);
    const store = await openDatabase({ dataDir }, { preparedDatabase, onFailure });
    const filler = fill(dataDir);
    let acknowledged = 0;
    let refusal: unknown;
    while (refusal === undefined && acknowledged < 10_000) {
      await store
        .transaction(({ db }) => db.organization.create({ data: row() }))
        .then(
          () => (acknowledged += 1),
          (error: unknown) => (refusal = error),
        );
    }
    expect(refusal).toMatchObject({ code: 'database_unavailable' });
    expect(failures).toMatchObject([{ reason: 'ENOSPC' }]);
    const further: unknown = await store.db.organization.count().catch((error: unknown) => error);
    expect(toDatabaseUnavailable(further)?.code).toBe('database_unavailable');
    await store.close().catch(() => undefined);

    rmSync(filler);
    const next = await openDatabase({ dataDir });
    expect(await next.db.organization.count()).toBe(acknowledged);
    await next.db.organization.create({ data: row() });
    await next.close();
  });

  it('refuses a first start in one sentence, and the next on a disk with room works', async (test) => {
    const dataDir = mountDisk(120);
    if (dataDir === undefined) return test.skip();
    const preparedDatabase = await preparedTestDatabase();
    writeFileSync(join(dataDir, 'room'), Buffer.alloc(4_000_000));
    const filler = fill(dataDir);
    rmSync(join(dataDir, 'room'));
    await expect(openDatabase({ dataDir }, { preparedDatabase })).rejects.toMatchObject({
      code: 'disk_failed',
      message: expect.stringContaining('Make room on the disk of GATEHOUSE_DATA_DIR'),
    });
    expect(existsSync(filler)).toBe(true);
    rmSync(filler);
    const store = await openDatabase({ dataDir }, { preparedDatabase });
    expect(await store.db.organization.count()).toBe(0);
    await store.close();
  });
});
