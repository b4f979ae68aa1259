import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@gatehouse/harness';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toDatabaseUnavailable } from '../../../src/platform/database/database-failure.ts';
import { migrationNames } from '../../../src/platform/database/migrate.ts';
import { type DatabaseConfig, openDatabase } from '../../../src/platform/database/open-database.ts';
import { migrationsDirectory } from '../../../src/platform/database/package-files.ts';
import type { Store } from '../../../src/platform/database/store.ts';
import { createId } from '../../../src/platform/ids.ts';
import { startListenerProxy } from '../../process/support/listener-proxy.ts';
import {
  administer,
  createPostgresqlDatabase,
  openEmptyPglite,
  preparedTestDatabase,
  testDatabaseKind,
} from '../../support/database.ts';

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-open-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function writeMigrations(directory: string, scripts: Record<string, string>): Promise<void> {
  await writeFile(join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(scripts)) {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, 'migration.sql'), sql);
  }
}

async function createPostgresql(options: { readonly empty?: boolean } = {}) {
  const database = await createPostgresqlDatabase(options);
  onTestFinished(() => database.drop());
  return database;
}

/** A database, and a role of the same name without any rights. */
async function createRole(options: { readonly empty?: boolean } = {}) {
  const database = await createPostgresqlDatabase(options);
  const url = new URL(database.config.databaseUrl);
  const name = url.pathname.slice(1);
  await administer(`CREATE ROLE ${name} LOGIN PASSWORD 'test'`);
  onTestFinished(async () => {
    await database.drop();
    await administer(`DROP ROLE ${name}`);
  });
  url.username = name;
  url.password = 'test';
  return { name, config: { dataDir: '', databaseUrl: url.href } };
}

async function tablesOf(store: Store): Promise<string[]> {
  const rows = await store.db.$queryRaw<{ name: string }[]>`
    SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
  return rows.map(({ name }) => name);
}

async function emptyDatabase(): Promise<DatabaseConfig> {
  if (testDatabaseKind === 'postgresql') {
    const database = await createPostgresqlDatabase({ empty: true });
    onTestFinished(() => database.drop());
    return database.config;
  }
  const dataDir = await temporaryDirectory();
  await (await openEmptyPglite(dataDir)).close();
  return { dataDir };
}

describe('migrations at start', () => {
  test('a broken one refuses the start and leaves nothing of itself, the fixed one then applies', async () => {
    const config = await emptyDatabase();
    const migrations = await temporaryDirectory();
    const options = { migrations };
    await writeMigrations(migrations, {
      '1_first': 'CREATE TABLE first (id int);',
      '2_second': "CREATE TABLE second (id int); SELECT 'half; done'; SELECT broken;",
    });

    const start = openDatabase(config, options);
    await expect(start).rejects.toMatchObject({
      name: 'DatabaseStartError',
      code: 'migration_failed',
      message: 'The database migration 2_second failed: column "broken" does not exist',
    });
    await expect(openDatabase(config, options)).rejects.toThrow('2_second');

    await writeMigrations(migrations, {
      '2_second': "CREATE TABLE second (id int); SELECT 'all; done';",
    });
    const store = await openDatabase(config, options);
    expect(await tablesOf(store)).toEqual(['_prisma_migrations', 'first', 'second']);
    await store.close();
  });
});

describe.runIf(testDatabaseKind === 'pglite')('an embedded database', () => {
  async function open(dataDir: string): Promise<Store> {
    return openDatabase({ dataDir }, { preparedDatabase: await preparedTestDatabase() });
  }

  test('keeps its rows from one start to the next', async () => {
    const dataDir = await temporaryDirectory();
    const data = { ...createId(), name: 'Acme' };
    const first = await open(dataDir);
    await first.db.organization.create({ data });
    await expect(open(dataDir)).rejects.toMatchObject({ code: 'directory_in_use' });
    await first.close();
    const second = await open(dataDir);
    expect(await second.db.organization.findMany()).toEqual([data]);
    await second.close();
  });

  test('writes nothing once its lock file was removed, and opens again with all that it had', async () => {
    const dataDir = await temporaryDirectory();
    const failures: unknown[] = [];
    const store = await openDatabase(
      { dataDir },
      {
        preparedDatabase: await preparedTestDatabase(),
        onFailure: (failure) => void failures.push(failure),
      },
    );
    const kept = await store.db.organization.create({ data: { ...createId(), name: 'Kept' } });
    await rm(join(dataDir, 'lock'));
    const refusal: unknown = await store.db.organization
      .create({ data: { ...createId(), name: 'Refused' } })
      .catch((error: unknown) => error);
    expect(toDatabaseUnavailable(refusal)?.code).toBe('database_unavailable');
    expect(failures).toMatchObject([{ reason: 'lock_lost' }]);
    const read: unknown = await store.db.organization.count().catch((error: unknown) => error);
    expect(toDatabaseUnavailable(read)?.code).toBe('database_unavailable');
    await store.close().catch(() => undefined);
    const next = await open(dataDir);
    expect(await next.db.organization.findMany()).toEqual([kept]);
    await next.close();
  });

  test('notices within a second that its directory was moved, without any statement', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    const failures: unknown[] = [];
    const store = await openDatabase(
      { dataDir },
      {
        preparedDatabase: await preparedTestDatabase(),
        onFailure: (failure) => void failures.push(failure),
      },
    );
    await rename(dataDir, `${dataDir}-moved`);
    await expect.poll(() => failures, { timeout: 10_000 }).toMatchObject([{ reason: 'lock_lost' }]);
    await store.close().catch(() => undefined);
  });

  test('of another major version is refused untouched', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'database'));
    await writeFile(join(dataDir, 'database', 'PG_VERSION'), '17\n');
    await expect(open(dataDir)).rejects.toMatchObject({
      code: 'unsupported_version',
      message: expect.stringContaining('was written by PostgreSQL 17'),
    });
    expect(await readFile(join(dataDir, 'database', 'PG_VERSION'), 'utf8')).toBe('17\n');
  });

  test('that is damaged is refused with advice', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'database'));
    await writeFile(join(dataDir, 'database', 'PG_VERSION'), '18\n');
    await expect(open(dataDir)).rejects.toMatchObject({ code: 'directory_unusable' });
  });

  test('is made again after an interruption', async () => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'database.initialising'), '');
    await mkdir(join(dataDir, 'database'));
    await writeFile(join(dataDir, 'database', 'PG_VERSION'), '18\n');
    const store = await open(dataDir);
    expect(await store.db.organization.count()).toBe(0);
    await store.close();
  });
});

describe.runIf(testDatabaseKind === 'postgresql')('a PostgreSQL server', () => {
  test('that is empty is migrated by two processes starting at once', async () => {
    const database = await createPostgresqlDatabase({ empty: true });
    onTestFinished(() => database.drop());
    const [first, second] = await Promise.all([
      openDatabase(database.config),
      openDatabase(database.config),
    ]);
    const applied = await first.db.$queryRaw<{ name: string }[]>`
      SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL ORDER BY name`;
    expect(applied.map(({ name }) => name)).toEqual(migrationNames(migrationsDirectory()));
    await Promise.all([first.close(), second.close()]);
  });

  test('that does not permit the trigram extension is used without its index', async () => {
    const { name, config } = await createRole({ empty: true });
    await administer('GRANT ALL ON SCHEMA public TO PUBLIC', name);
    const store = await openDatabase(config);
    const indexes = await store.db.$queryRaw<{ name: string }[]>`
      SELECT indexname::text AS name FROM pg_indexes WHERE tablename = 'Integration' ORDER BY 1`;
    expect(indexes).toEqual([
      { name: 'Integration_nextValidationAt_idx' },
      { name: 'Integration_organizationId_certificateExpiresAt_idx' },
      { name: 'Integration_organizationId_id_active_idx' },
      { name: 'Integration_organizationId_id_idx' },
      { name: 'Integration_organizationId_id_invalid_idx' },
      { name: 'Integration_organizationId_toolsReviewedAt_idx' },
      { name: 'Integration_pkey' },
    ]);
    await store.close();
  });

  const NOT_PERMITTED = {
    name: 'DatabaseStartError',
    code: 'not_permitted',
    message:
      'The role in DATABASE_URL lacks privileges in the database (42501). ' +
      'Use the role that owns the tables of Gatehouse and their schema, or grant it all privileges on both.',
  };

  test('is refused in one sentence if its role may not read the migrations', async () => {
    const { config } = await createRole();
    await expect(openDatabase(config)).rejects.toMatchObject(NOT_PERMITTED);
  });

  test('is refused in one sentence if its role may not create tables', async () => {
    const { config } = await createRole({ empty: true });
    await expect(openDatabase(config)).rejects.toMatchObject(NOT_PERMITTED);
  });

  test('is refused in one sentence if its role may read but not write the migrations', async () => {
    const { name, config } = await createRole();
    await administer('GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC', name);
    const migrations = await temporaryDirectory();
    await writeMigrations(migrations, { '99990101000000_next': 'CREATE TABLE next (id int);' });
    await expect(openDatabase(config, { migrations })).rejects.toMatchObject(NOT_PERMITTED);
  });

  test('that another process migrates for too long is refused in one sentence', async () => {
    const { config } = await createPostgresql();
    const other = new pg.Client(config.databaseUrl);
    await other.connect();
    onTestFinished(() => other.end());
    // The lock of migrate-postgresql.ts.
    await other.query('SELECT pg_advisory_lock(4740197212)');
    await expect(openDatabase(config, { lockWithin: 20 })).rejects.toMatchObject({
      name: 'DatabaseStartError',
      code: 'locked',
      message: expect.stringMatching(/^Another Gatehouse process is migrating .* start again\.$/),
    });
  });

  test('is refused in one sentence if nothing comes back on its listening connection', async () => {
    const { databaseUrl } = (await createPostgresql()).config;
    const url = new URL(databaseUrl);
    const proxy = await startListenerProxy({ host: url.hostname, port: Number(url.port || 5432) });
    onTestFinished(() => proxy.close());
    proxy.blackHole();
    url.host = `127.0.0.1:${proxy.port}`;
    await expect(openDatabase({ dataDir: '', databaseUrl: url.href })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('cannot be used: there is no response in time.'),
    });
  });

  test('that does not answer is waited for, then refused without its password in the message', async () => {
    const databaseUrl = `postgresql://gatehouse:hunter2@127.0.0.1:${await findFreePort()}/gatehouse`;
    const start = openDatabase({ dataDir: '', databaseUrl }, { reachWithin: 100 });
    const error = await start.catch((failure: unknown) => failure);
    expect(error).toMatchObject({ name: 'DatabaseStartError', code: 'unreachable' });
    expect(String(error)).toContain('(ECONNREFUSED)');
    expect(String(error)).not.toContain('hunter2');
  });

  test('without the named database is refused at once', async () => {
    const database = await createPostgresqlDatabase({ empty: true });
    await database.drop();
    await expect(openDatabase(database.config)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('(3D000)'),
    });
  });
});
