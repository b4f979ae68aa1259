import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { applyMigrations, migrationNames } from '../../src/platform/database/migrate.ts';
import { migratePostgresql } from '../../src/platform/database/migrate-postgresql.ts';
import { migrationsDirectory } from '../../src/platform/database/package-files.ts';
import { openPglite } from '../../src/platform/database/pglite.ts';
import {
  openRawPostgresql,
  type RawDatabase,
  rawPglite,
} from '../../src/platform/database/raw-database.ts';
import { type Exported, exportDatabase } from '../../src/transfer/export-database.ts';
import { importPostgresql } from '../../src/transfer/import-postgresql.ts';
import { openEmbedded } from '../../src/transfer/open-source.ts';
import { restoreDirectory } from '../../src/transfer/restore-directory.ts';
import { hasPostgresql } from '../process/support/stores.ts';
import { createPostgresqlDatabase } from '../support/database.ts';
import { openEmbeddedDatabase, SEAL, temporaryDirectory } from './support/databases.ts';
import { contentsOf, fillTables } from './support/fill-tables.ts';

vi.setConfig({ testTimeout: 120_000 });

const directory = temporaryDirectory();
const KEY_FILE = `local-1234abcd:${Buffer.alloc(32, 7).toString('base64')}\n`;
let files = 0;

function exported(database: RawDatabase, keyFile: string | null = KEY_FILE): Promise<Exported> {
  files += 1;
  const path = join(directory, `file-${files}`);
  return exportDatabase(database, { ...SEAL, path, version: '1.2.3', keyFile });
}

/** More than one piece of the sealed file: the first are read before it shows that the last is missing. */
const MANY_ROWS = `INSERT INTO "OauthState"
  SELECT 'state-' || n, to_jsonb(random()::text || random()::text), now(), now() FROM generate_series(1, 6000) n`;

async function filled({
  isLarge = false,
} = {}): Promise<{ path: string; contents: Record<string, string[]> }> {
  const database = await openEmbeddedDatabase();
  try {
    await fillTables(database);
    if (isLarge) await database.query(MANY_ROWS);
    const { path } = await exported(database);
    return { path, contents: await contentsOf(database) };
  } finally {
    await database.close();
  }
}

async function withDatabase<T>(
  open: Promise<RawDatabase>,
  work: (database: RawDatabase) => Promise<T>,
): Promise<T> {
  const database = await open;
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const { passphrase } = SEAL;

describe('a data directory that is restored', () => {
  it('has the rows of every table as they were, and the keys', async () => {
    const { path, contents } = await filled();
    const dataDir = join(directory, 'restored');
    const steps: number[] = [];
    const restored = await restoreDirectory({
      dataDir,
      path,
      passphrase,
      onProgress: ({ rows, ofRows }) => steps.push(rows / ofRows),
    });
    expect(restored).toMatchObject({
      rows: 93,
      writtenBy: '1.2.3',
      keysInside: ['local-1234abcd'],
    });
    expect(steps.at(-1)).toBe(1);
    expect(await withDatabase(openEmbedded(dataDir), contentsOf)).toEqual(contents);
    expect(readFileSync(join(dataDir, 'encryption-key'), 'utf8')).toBe(KEY_FILE);
    expect(statSync(join(dataDir, 'encryption-key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).sort()).toEqual(['database', 'encryption-key', 'lock']);
  });

  it('has every row of a table that is read in pages', async () => {
    const source = await openEmbeddedDatabase();
    await source.query(
      `INSERT INTO "OauthState" SELECT 'state-' || n, to_jsonb(n), now(), now() FROM generate_series(1, 1700) n`,
    );
    const { path, rows } = await exported(source);
    const contents = await contentsOf(source);
    await source.close();
    expect(rows).toBe(1700);
    const dataDir = join(directory, 'of-pages');
    const steps: number[] = [];
    const onProgress = (progress: { readonly rows: number }) => steps.push(progress.rows);
    await restoreDirectory({ dataDir, path, passphrase, onProgress });
    expect(steps).toEqual([500, 1000, 1500, 1700]);
    expect(await withDatabase(openEmbedded(dataDir), contentsOf)).toEqual(contents);
  });

  it('is left alone when it has a database, or other keys', async () => {
    const { path } = await filled();
    const dataDir = join(directory, 'in-use');
    await restoreDirectory({ dataDir, path, passphrase });
    await expect(restoreDirectory({ dataDir, path, passphrase })).rejects.toMatchObject({
      code: 'not_empty',
    });
    const other = temporaryDirectory();
    writeFileSync(join(other, 'encryption-key'), KEY_FILE.replace('1234', '9999'));
    await expect(restoreDirectory({ dataDir: other, path, passphrase })).rejects.toMatchObject({
      code: 'keys_differ',
    });
    expect(existsSync(join(other, 'database'))).toBe(false);
  });

  it('has nothing when the file was cut off at its end', async () => {
    const { path } = await filled({ isLarge: true });
    expect(statSync(path).size).toBeGreaterThan(2 * 65_536);
    const cut = join(directory, 'cut');
    writeFileSync(cut, readFileSync(path).subarray(0, -1));
    const dataDir = join(directory, 'of-cut');
    await expect(restoreDirectory({ dataDir, path: cut, passphrase })).rejects.toMatchObject({
      code: 'damaged',
    });
    expect(readdirSync(directory).includes('of-cut') ? readdirSync(dataDir) : []).toEqual(
      expect.not.arrayContaining(['database', 'encryption-key']),
    );
  });

  it('gets the tables of an older version with its rows', async () => {
    const [first = ''] = migrationNames(migrationsDirectory());
    const old = join(directory, 'old');
    const written = await oldFile(first);
    await restoreDirectory({ dataDir: old, path: written.path, passphrase });
    const found = await withDatabase(openEmbedded(old), (database) =>
      database.query('SELECT count(*)::int AS "n" FROM "_prisma_migrations"'),
    );
    expect(found).toEqual([{ n: 1 }]);
  });
});

/** A file of a database that has the migrations up to one. */
async function oldFile(last: string): Promise<Exported> {
  const database = await openPglite({});
  await applyMigrations(database, migrationsDirectory(), last);
  return withDatabase(rawPglite(database), (raw) => exported(raw));
}

describe('what is exported', () => {
  it('says which keys are in the file, and which the rows need besides', async () => {
    const found = await withDatabase(openEmbeddedDatabase(), async (database) => {
      await fillTables(database);
      await database.query(`UPDATE "Connection" SET "keyId" = 'local-1234abcd'`);
      return [await exported(database), await exported(database, null)];
    });
    const needed = [...new Set(found[1]?.keysElsewhere)];
    expect(found[1]?.keysInside).toEqual([]);
    expect(needed).toContain('local-1234abcd');
    expect(found[0]).toMatchObject({
      keysInside: ['local-1234abcd'],
      keysElsewhere: needed.filter((id) => id !== 'local-1234abcd'),
    });
  });

  it('is refused by a program that does not know the migrations of the database', async () => {
    await withDatabase(openEmbeddedDatabase(), async (database) => {
      await database.query(
        `UPDATE "_prisma_migrations" SET "migration_name" = '29990101000000_future'
         WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")`,
      );
      await expect(exported(database)).rejects.toMatchObject({ code: 'newer' });
    });
  });
});

describe.skipIf(!hasPostgresql)('PostgreSQL', () => {
  it('takes everything from an embedded database, and gives it back', async () => {
    const { path, contents } = await filled();
    const { config, drop } = await createPostgresqlDatabase({ empty: true });
    const { databaseUrl } = config;
    const keysTo = join(directory, 'keys.env');
    try {
      const imported = await importPostgresql({
        ...{ databaseUrl, path, passphrase, keysTo },
        loadedKeyIds: [],
      });
      expect(imported.rows).toBe(93);
      expect(readFileSync(keysTo, 'utf8')).toBe(`GATEHOUSE_ENCRYPTION_KEYS=${KEY_FILE}`);
      expect(statSync(keysTo).mode & 0o777).toBe(0o600);
      const back = await withDatabase(openRawPostgresql(databaseUrl), async (database) => {
        expect(sorted(await contentsOf(database))).toEqual(sorted(contents));
        return exported(database, null);
      });
      const dataDir = join(directory, 'back');
      await restoreDirectory({ dataDir, path: back.path, passphrase });
      expect(await withDatabase(openEmbedded(dataDir), contentsOf)).toEqual(contents);
      expect(readdirSync(dataDir).sort()).toEqual(['database', 'lock']);
    } finally {
      await drop();
    }
  });

  it('takes nothing while it has rows, or without a place for the keys', async () => {
    const { path } = await filled();
    const { config, drop } = await createPostgresqlDatabase({ empty: true });
    const { databaseUrl } = config;
    const options = { databaseUrl, path, passphrase };
    try {
      await expect(importPostgresql({ ...options, loadedKeyIds: [] })).rejects.toMatchObject({
        code: 'keys_nowhere',
      });
      await migratePostgresql(databaseUrl, migrationsDirectory());
      await withDatabase(openRawPostgresql(databaseUrl), async (database) => {
        await database.query(`INSERT INTO "KeyCheck" VALUES ('k', '\\x00')`);
      });
      const keysTo = join(directory, 'unused.env');
      await expect(
        importPostgresql({ ...options, keysTo, loadedKeyIds: [] }),
      ).rejects.toMatchObject({ code: 'not_empty' });
      expect(existsSync(keysTo)).toBe(false);
    } finally {
      await drop();
    }
  });

  it('is as empty as before when the file turns out to be cut off', async () => {
    const { path } = await filled({ isLarge: true });
    expect(statSync(path).size).toBeGreaterThan(2 * 65_536);
    const cut = join(directory, 'cut-for-postgresql');
    writeFileSync(cut, readFileSync(path).subarray(0, -1));
    const { config, drop } = await createPostgresqlDatabase({ empty: true });
    const { databaseUrl } = config;
    const loadedKeyIds = ['local-1234abcd'];
    try {
      await expect(
        importPostgresql({ databaseUrl, path: cut, passphrase, loadedKeyIds }),
      ).rejects.toMatchObject({ code: 'damaged' });
      await importPostgresql({ databaseUrl, path, passphrase, loadedKeyIds });
    } finally {
      await drop();
    }
  });
});

/** The order of texts depends on the locale of the database. */
function sorted(contents: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(contents).map(([table, rows]) => [table, [...rows].sort()]),
  );
}
