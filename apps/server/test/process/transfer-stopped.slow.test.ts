import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openRawPostgresql } from '../../src/platform/database/raw-database.ts';
import { exportDatabase } from '../../src/transfer/export-database.ts';
import { restoreDirectory } from '../../src/transfer/restore-directory.ts';
import { openEmbeddedDatabase } from '../transfer/support/databases.ts';
import { interruptCommand, runCommand } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

const PASSPHRASE = 'seven words that nobody guesses';
const KEY_FILE = `local-1234abcd:${Buffer.alloc(32, 7).toString('base64')}\n`;
const ROWS = 40_000;

const directory = temporaryDirectory();
const file = join(directory, 'complete.backup');
const env = { GATEHOUSE_BACKUP_PASSPHRASE: PASSPHRASE };
const STOPPED = {
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(/Stopped\. Nothing was changed\.\n$/),
};

beforeAll(async () => {
  const database = await openEmbeddedDatabase();
  await database.query(`INSERT INTO "OauthState"
    SELECT 'state-' || n, to_jsonb(md5(random()::text) || md5(random()::text)), now(), now()
    FROM generate_series(1, ${ROWS}) n`);
  const seal = { path: file, passphrase: PASSPHRASE, workFactor: 8 };
  await exportDatabase(database, { ...seal, version: '1.2.3', keyFile: KEY_FILE });
  await database.close();
});

function emptyFolder(): string {
  return mkdtempSync(join(directory, 'folder-'));
}

describe('Ctrl-C', () => {
  test.each(['backup', 'export'])('during %s leaves no file, and no copy', async (command) => {
    const dataDir = join(emptyFolder(), 'data');
    await restoreDirectory({ dataDir, path: file, passphrase: PASSPHRASE });
    const server = await startServer({ dataDir });
    const before = readdirSync(dataDir).sort();
    const folder = emptyFolder();
    const settings = { ...env, GATEHOUSE_DATA_DIR: dataDir };
    const isWriting = () => readdirSync(folder).some((name) => name.endsWith('.part'));
    const args = [command, join(folder, 'stopped.backup')];
    expect(await interruptCommand(args, settings, isWriting)).toMatchObject(STOPPED);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(dataDir).sort()).toEqual(before);
    expect((await server.stop()).code).toBe(0);
  });

  test.each(['restore', 'import'])('during %s leaves no database and no keys', async (command) => {
    const dataDir = emptyFolder();
    const settings = { ...env, GATEHOUSE_DATA_DIR: dataDir };
    const isWriting = () => readdirSync(dataDir).some((name) => name.startsWith('restoring-'));
    expect(await interruptCommand([command, file], settings, isWriting)).toMatchObject(STOPPED);
    expect(readdirSync(dataDir).filter((name) => name !== 'lock')).toEqual([]);
    expect(await runCommand([command, file], settings)).toMatchObject({ code: 0 });
  });

  test.skipIf(!hasPostgresql)(
    'during an import into PostgreSQL leaves no rows and no keys',
    async () => {
      const { config, drop } = await createEmptyPostgresql();
      try {
        const folder = emptyFolder();
        const keys = join(folder, 'keys.env');
        const settings = { ...env, DATABASE_URL: config.databaseUrl };
        const args = ['import', file, '--keys-to', keys];
        const isWriting = () => readdirSync(folder).includes('keys.env');
        expect(await interruptCommand(args, settings, isWriting)).toMatchObject(STOPPED);
        expect(readdirSync(folder)).toEqual([]);
        expect(await runCommand(args, settings)).toMatchObject({ code: 0 });
        const database = await openRawPostgresql(config.databaseUrl);
        const counted = await database.query('SELECT count(*)::int AS "n" FROM "OauthState"');
        await database.close();
        expect(counted).toEqual([{ n: ROWS }]);
        expect(readFileSync(keys, 'utf8')).toBe(`GATEHOUSE_ENCRYPTION_KEYS=${KEY_FILE}`);
      } finally {
        await drop();
      }
    },
  );
});
