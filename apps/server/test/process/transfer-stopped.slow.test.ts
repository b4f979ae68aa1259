import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openRawPostgresql } from '../../src/platform/database/raw-database.ts';
import { exportDatabase } from '../../src/transfer/export-database.ts';
import { openEmbeddedDatabase } from '../transfer/support/databases.ts';
import { interruptCommand, runCommand } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';
import { createEmptyPostgresql, hasPostgresql } from './support/stores.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

const PASSPHRASE = 'seven words that nobody guesses';
const KEY_FILE = `local-1234abcd:${Buffer.alloc(32, 7).toString('base64')}\n`;
/** Enough that a command still works when the signal reaches it. */
const ROWS = 40_000;

const directory = temporaryDirectory();
const file = join(directory, 'complete.backup');
/** Of the database that is in the file. */
const dataDir = join(directory, 'data');
const env = { GATEHOUSE_BACKUP_PASSPHRASE: PASSPHRASE };
const STOPPED = {
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(/Stopped\. Nothing was changed\.\n$/),
};

beforeAll(async () => {
  mkdirSync(dataDir);
  const database = await openEmbeddedDatabase(dataDir);
  writeFileSync(join(dataDir, 'encryption-key'), KEY_FILE, { mode: 0o600 });
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
  // A running server copies its files for the command; without one, the command reads them itself.
  test.each([
    { command: 'backup', isServed: true },
    { command: 'export', isServed: false },
  ])('during $command leaves no file, and no copy', async ({ command, isServed }) => {
    const server = isServed ? await startServer({ dataDir }) : undefined;
    const before = readdirSync(dataDir).sort();
    const folder = emptyFolder();
    const settings = { ...env, GATEHOUSE_DATA_DIR: dataDir };
    const isWriting = () => readdirSync(folder).some((name) => name.endsWith('.part'));
    const args = [command, join(folder, 'stopped.backup')];
    expect(await interruptCommand(args, settings, isWriting)).toMatchObject(STOPPED);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(dataDir).sort()).toEqual(before);
    if (server !== undefined) expect((await server.stop()).code).toBe(0);
  });

  test('during restore leaves no database and no keys, and import does the rest', async () => {
    const empty = emptyFolder();
    const settings = { ...env, GATEHOUSE_DATA_DIR: empty };
    const isWriting = () => readdirSync(empty).some((name) => name.startsWith('restoring-'));
    expect(await interruptCommand(['restore', file], settings, isWriting)).toMatchObject(STOPPED);
    expect(readdirSync(empty).filter((name) => name !== 'lock')).toEqual([]);
    expect(await runCommand(['import', file], settings)).toMatchObject({ code: 0 });
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
