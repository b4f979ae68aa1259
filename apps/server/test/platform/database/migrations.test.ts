import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { expect, onTestFinished, test } from 'vitest';
import { diffMigrations } from '../../../src/platform/database/diff-migrations.ts';
import { applyMigrations } from '../../../src/platform/database/migrate.ts';
import { migrationsDirectory, schemaFile } from '../../../src/platform/database/package-files.ts';
import { pgliteAdapter } from '../../../src/platform/database/pglite-adapter.ts';
import { openEmptyPglite, testDatabaseKind } from '../../support/database.ts';

const onPglite = test.runIf(testDatabaseKind === 'pglite');

onPglite('the migrations lead to the Prisma schema', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  expect(await diffMigrations(database, migrationsDirectory(), schemaFile())).toBe('');
});

onPglite('a migration whose process died after its commit is not applied twice', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
  await mkdir(join(directory, '1_first'));
  await writeFile(join(directory, '1_first', 'migration.sql'), 'CREATE TABLE first (id int);');

  const adapter = pgliteAdapter(database);
  await expect(applyMigrations(dyingAfterScript(adapter), directory)).rejects.toMatchObject({
    code: 'migration_failed',
  });
  expect(await applyMigrations(adapter, directory)).toEqual([]);
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

  const adapter = pgliteAdapter(database);
  expect(await applyMigrations(adapter, later)).toContain('99991231235959_later');
  expect(await applyMigrations(adapter, migrationsDirectory())).toEqual([]);
});

onPglite('where nothing is to be applied the database is asked once, and no engine', async () => {
  const database = await openEmptyPglite();
  onTestFinished(() => database.close());
  const adapter = pgliteAdapter(database);
  let connections = 0;
  const counting = {
    ...adapter,
    connect: () => {
      connections += 1;
      return adapter.connect();
    },
  };
  expect(await applyMigrations(counting, migrationsDirectory())).not.toEqual([]);
  connections = 0;
  expect(await applyMigrations(counting, migrationsDirectory())).toEqual([]);
  expect(connections).toBe(1);
});

/** An adapter over which nothing more is said once a script has run. */
function dyingAfterScript(
  factory: SqlMigrationAwareDriverAdapterFactory,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    ...factory,
    connect: async () => {
      const adapter = await factory.connect();
      const { executeScript, executeRaw, queryRaw } = adapter;
      let isDead = false;
      const unlessDead = <T extends unknown[], R>(send: (...query: T) => Promise<R>) => {
        return async (...query: T): Promise<R> => {
          if (isDead) throw new Error('the process is gone');
          return send.apply(adapter, query);
        };
      };
      return Object.assign(adapter, {
        executeScript: async (script: string) => {
          await executeScript.call(adapter, script);
          isDead = /CREATE TABLE first/.test(script);
        },
        executeRaw: unlessDead(executeRaw),
        queryRaw: unlessDead(queryRaw),
      });
    },
  };
}
