import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { expect, onTestFinished, test } from 'vitest';
import { applyMigrations, migrationNames } from '../../../src/platform/database/migrate.ts';
import { migrationsDirectory, schemaFile } from '../../../src/platform/database/package-files.ts';
import { openEmptyPglite, testDatabaseKind } from '../../support/database.ts';
import {
  applyWithPrisma,
  diagnoseWithPrisma,
  diffMigrations,
} from '../../support/schema-engine.ts';

const onPglite = test.runIf(testDatabaseKind === 'pglite');

onPglite('the migrations lead to the Prisma schema', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  expect(await diffMigrations(database, migrationsDirectory(), schemaFile())).toBe('');
});

/** A directory of migrations, deleted after the test. */
async function directoryOf(migrations: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, 'migration.sql'), sql);
  }
  return directory;
}

async function recordsOf(database: PGlite): Promise<unknown[]> {
  const { rows } = await database.query('SELECT * FROM "_prisma_migrations" ORDER BY "started_at"');
  return rows;
}

onPglite('a migration is not applied twice if its process died after the commit', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  const directory = await directoryOf({ '1_first': 'CREATE TABLE first (id int);' });
  const dying = {
    query: (sql: string, values?: string[]) => database.query(sql, values),
    exec: async (script: string) => {
      await database.exec(script);
      if (script.includes('CREATE TABLE first')) throw new Error('the process is gone');
    },
  };
  await expect(applyMigrations(dying, directory)).rejects.toMatchObject({
    code: 'migration_failed',
  });
  expect(await applyMigrations(database, directory)).toEqual([]);
});

onPglite(
  'a migration is applied by the next start if its process died before the commit',
  async () => {
    const database = await openEmptyPglite();
    onTestFinished(() => database.close());
    const directory = await directoryOf({ '1_first': 'CREATE TABLE first (id int);' });
    const dying = {
      query: (sql: string, values?: string[]) => database.query(sql, values),
      exec: async (script: string) => {
        if (script.includes('CREATE TABLE first')) throw new Error('the process is gone');
        await database.exec(script);
      },
    };
    await expect(applyMigrations(dying, directory)).rejects.toThrow('1_first');
    expect(await applyMigrations(database, directory)).toEqual(['1_first']);
    expect(await recordsOf(database)).toMatchObject([
      { finished_at: null, rolled_back_at: expect.any(Date), applied_steps_count: 0 },
      { finished_at: expect.any(Date), rolled_back_at: null, applied_steps_count: 1 },
    ]);
  },
);

onPglite('a database that Prisma has migrated is accepted as it is', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  expect(await applyWithPrisma(database, migrationsDirectory())).not.toEqual([]);
  const records = await recordsOf(database);
  expect(await applyMigrations(database, migrationsDirectory())).toEqual([]);
  expect(await recordsOf(database)).toEqual(records);
});

onPglite(
  'Prisma accepts a database that Gatehouse has migrated, also after a failure',
  async () => {
    const database = await openEmptyPglite();
    onTestFinished(() => database.close());
    const broken = await directoryOf({
      '1_first': 'CREATE TABLE first (id int);',
      '2_next': 'broken',
    });
    await expect(applyMigrations(database, broken)).rejects.toThrow('2_next');
    const failed = await diagnoseWithPrisma(database, broken);
    expect(failed).toMatchObject({ failedMigrationNames: ['2_next'], editedMigrationNames: [] });
    const mended = await directoryOf({
      '1_first': 'CREATE TABLE first (id int);',
      '2_next': 'SELECT 1',
    });
    expect(await applyMigrations(database, mended)).toEqual(['2_next']);
    expect(await diagnoseWithPrisma(database, mended)).toMatchObject({
      history: null,
      failedMigrationNames: [],
      editedMigrationNames: [],
      hasMigrationsTable: true,
    });
    expect(await applyWithPrisma(database, mended)).toEqual([]);
  },
);

onPglite('Gatehouse and Prisma record the same of each migration', async () => {
  const [ours, theirs] = [await openEmptyPglite(), await openEmptyPglite()];
  onTestFinished(async () => void (await Promise.all([ours.close(), theirs.close()])));
  await applyMigrations(ours, migrationsDirectory());
  await applyWithPrisma(theirs, migrationsDirectory());
  const same = `SELECT "migration_name", "checksum", "finished_at" >= "started_at" AS "isFinished",
      "rolled_back_at", "logs", "applied_steps_count"
    FROM "_prisma_migrations" ORDER BY 1`;
  const columns = `SELECT "column_name", "data_type", "column_default", "is_nullable",
      "character_maximum_length" AS "length"
    FROM information_schema.columns WHERE "table_name" = '_prisma_migrations' ORDER BY 1`;
  for (const query of [same, columns]) {
    expect((await ours.query(query)).rows).toEqual((await theirs.query(query)).rows);
  }
});

onPglite('a database with tables of something else is refused', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  await database.exec('CREATE TABLE other (id int)');
  await expect(applyMigrations(database, migrationsDirectory())).rejects.toMatchObject({
    code: 'migration_failed',
    message: expect.stringContaining('Choose an empty database.'),
  });
});

onPglite('a node of an earlier version starts on the database of a later one', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  const later = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'));
  onTestFinished(() => rm(later, { recursive: true }));
  await cp(migrationsDirectory(), later, { recursive: true });
  await mkdir(join(later, '99991231235959_later'));
  await writeFile(
    join(later, '99991231235959_later', 'migration.sql'),
    'CREATE TABLE later (id int);',
  );

  expect(await applyMigrations(database, later)).toContain('99991231235959_later');
  expect(await applyMigrations(database, migrationsDirectory())).toEqual([]);
});

onPglite('where nothing is to be applied nothing is written', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  expect(await applyMigrations(database, migrationsDirectory())).toEqual(
    migrationNames(migrationsDirectory()),
  );
  const statements: string[] = [];
  const reading = {
    query: (sql: string, values?: string[]) => {
      statements.push(sql);
      return database.query(sql, values);
    },
    exec: () => Promise.reject(new Error('nothing is to be written')),
  };
  expect(await applyMigrations(reading, migrationsDirectory())).toEqual([]);
  expect(statements.every((sql) => sql.startsWith('SELECT'))).toBe(true);
  expect(statements).toHaveLength(2);
});
