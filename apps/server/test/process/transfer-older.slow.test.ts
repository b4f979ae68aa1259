import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { bootstrap } from '../../src/bootstrap.ts';
import { createPgliteStore } from '../../src/platform/database/create-store.ts';
import { applyMigrations, migrationNames } from '../../src/platform/database/migrate.ts';
import { migrationsDirectory } from '../../src/platform/database/package-files.ts';
import { openPglite } from '../../src/platform/database/pglite.ts';
import { rawPglite } from '../../src/platform/database/raw-database.ts';
import { exportDatabase } from '../../src/transfer/export-database.ts';
import { openEmbedded } from '../../src/transfer/open-source.ts';
import { createApi } from './support/api.ts';
import { randomSecret } from './support/routes.ts';
import { runCommand } from './support/run-command.ts';
import { startServer, temporaryDirectory } from './support/servers.ts';

vi.setConfig({ testTimeout: 600_000 });

const PASSPHRASE = 'seven words that nobody guesses';
/** Of the newest migrations, that the older version did not have. */
const HELD_BACK = 3;

const names = migrationNames(migrationsDirectory());
const token = randomSecret();

/** A backup of an installation, with its owner, that has not all migrations yet. */
async function writeOlderBackup(path: string): Promise<void> {
  const database = await openPglite({});
  const last = names.at(-1 - HELD_BACK);
  await applyMigrations(database, migrationsDirectory(), last);
  const store = createPgliteStore(database);
  await bootstrap(store, token);
  const seal = { path, passphrase: PASSPHRASE, workFactor: 8 };
  await exportDatabase(await rawPglite(database), { ...seal, version: '0.0.9', keyFile: null });
  await store.close();
}

async function migrationsIn(dataDir: string): Promise<unknown> {
  const database = await openEmbedded(dataDir);
  const [found] = await database.query('SELECT count(*)::int AS "n" FROM "_prisma_migrations"');
  await database.close();
  return found;
}

test('the backup of an older version is restored, migrated by the start, and works', async () => {
  const directory = temporaryDirectory();
  const [path, dataDir] = [join(directory, 'older.backup'), join(directory, 'data')];
  await writeOlderBackup(path);
  const env = { GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_BACKUP_PASSPHRASE: PASSPHRASE };
  const ran = await runCommand(['restore', path], env);
  expect(ran.code, ran.stderr).toBe(0);
  expect(await migrationsIn(dataDir)).toEqual({ n: names.length - HELD_BACK });

  const server = await startServer({ dataDir });
  const api = createApi(server);
  const me = await api.expect(200, 'GET', '/me', { token });
  expect(me.body.user).toMatchObject({ email: 'owner@localhost' });
  const body = { name: 'After', url: 'http://127.0.0.1:9/mcp', authMode: 'none' };
  await api.expect(201, 'POST', '/integrations', { token, body });
  expect((await server.stop()).code).toBe(0);
  expect(await migrationsIn(dataDir)).toEqual({ n: names.length });
});
