import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { exportDatabase } from '../../src/transfer/export-database.ts';
import { restoreDirectory } from '../../src/transfer/restore-directory.ts';
import { preparedTestDatabase } from '../support/database.ts';
import { openEmbeddedDatabase, SEAL, temporaryDirectory } from './support/databases.ts';

vi.setConfig({ testTimeout: 120_000 });

const directory = temporaryDirectory();

/** A disk of this size, in memory. */
function mountDisk(size: string): string {
  const disk = join(directory, `disk-${size}`);
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]));
  return disk;
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

const isPossible = canMount();
if (!isPossible) process.stderr.write('No root here: nothing was tested on a full disk.\n');

async function exportTo(path: string): Promise<void> {
  const database = await openEmbeddedDatabase();
  try {
    await database.query(`INSERT INTO "OauthState"
      SELECT 'state-' || n, to_jsonb(md5(random()::text)), now(), now() FROM generate_series(1, 20000) n`);
    await exportDatabase(database, { ...SEAL, path, version: '1.2.3', keyFile: null });
  } finally {
    await database.close();
  }
}

describe.skipIf(!isPossible)('where a disk has no room', () => {
  it('a copy of the database is not begun', async () => {
    const dataDir = mountDisk('200m');
    const preparedDatabase = await preparedTestDatabase();
    const store = await openDatabase({ dataDir }, { preparedDatabase });
    mkdirSync(join(dataDir, 'snapshot-refused'));
    await expect(store.copyFiles?.('snapshot-refused')).rejects.toThrow(
      /^A copy of the database needs \d+ MB on the disk of the data directory\. Make room for it\.$/,
    );
    expect(readdirSync(join(dataDir, 'snapshot-refused'))).toEqual([]);
    expect(await store.db.keyCheck.count()).toBe(0);
    await store.close();
  });

  it('a file is not left half written', async () => {
    const disk = mountDisk('256k');
    const path = join(disk, 'gatehouse.backup');
    await expect(exportTo(path)).rejects.toThrow(`${path} cannot be written (ENOSPC).`);
    expect(readdirSync(disk)).toEqual([]);
  });

  it('a database is not left half restored', async () => {
    const path = join(directory, 'complete.backup');
    await exportTo(path);
    const dataDir = mountDisk('40m');
    const { passphrase } = SEAL;
    const options = { dataDir, path, passphrase, command: 'restore' };
    await expect(restoreDirectory(options)).rejects.toThrow('ENOSPC');
    expect(readdirSync(dataDir).filter((name) => name !== 'lock')).toEqual([]);
  });
});
