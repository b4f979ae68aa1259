import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { migratePostgresql } from '../../src/platform/database/migrate-postgresql.ts';
import type { DatabaseConfig } from '../../src/platform/database/open-database.ts';
import { migrationsDirectory } from '../../src/platform/database/package-files.ts';
import { openPglite } from '../../src/platform/database/pglite.ts';
import {
  databaseFingerprint,
  prepareDatabase,
} from '../../src/platform/database/prepare-database.ts';
import { MemoryFiles } from './memory-files.ts';

/** A database of a test's own, to be given to one or more server processes. */
export interface TestDatabase {
  readonly config: DatabaseConfig;
  drop(): Promise<void>;
}

const CACHE = fileURLToPath(new URL('../../../../.cache/', import.meta.url));
const SERVER_URL = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** The store under test: environment variable GATEHOUSE_TEST_DATABASE, `pglite` unless it says `postgresql`. */
export const testDatabaseKind: 'pglite' | 'postgresql' =
  process.env.GATEHOUSE_TEST_DATABASE === 'postgresql' ? 'postgresql' : 'pglite';

/** The dump of an empty, migrated PGlite. */
export function preparedTestDatabase(): Promise<string> {
  return prepareDatabase(migrationsDirectory(), CACHE);
}

/** An empty, migrated PGlite, in memory or in `directory`. */
export async function openPreparedPglite(directory?: string): Promise<PGlite> {
  const preparedDatabase = await preparedTestDatabase();
  return openPglite(
    directory === undefined
      ? { memory: new MemoryFiles(preparedDatabase) }
      : { directory, preparedDatabase },
  );
}

/** A PGlite without any table, in memory or in `directory`; emptying one is faster than making one. */
export async function openEmptyPglite(directory?: string): Promise<PGlite> {
  const database = await openPreparedPglite(directory);
  await database.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return database;
}

interface DatabaseOptions {
  readonly empty?: boolean;
  /** Of an empty one, instead of the server's. */
  readonly locale?: string;
}

/** A fresh database on the test server, cloned from the template unless `empty`. */
export async function createPostgresqlDatabase(
  options: DatabaseOptions = {},
): Promise<TestDatabase & { readonly config: { readonly databaseUrl: string } }> {
  const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${await templateOf(options)}`);
  return {
    config: { databaseUrl: urlOf(name), dataDir: '' },
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function templateOf({ empty = false, locale }: DatabaseOptions): Promise<string> {
  if (locale !== undefined) return `template0 ENCODING 'UTF8' LOCALE '${locale}'`;
  return empty ? 'template1' : preparePostgresqlTemplate();
}

/** Makes the migrated template database unless it is there; the first of several callers does it. */
async function preparePostgresqlTemplate(): Promise<string> {
  const name = `gatehouse_template_${databaseFingerprint(migrationsDirectory())}`;
  await withServer(async (client) => {
    await client.query('SELECT pg_advisory_lock(7340211)');
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 1) return;
    const unfinished = `${name}_unfinished`;
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${unfinished}`);
    await migratePostgresql(urlOf(unfinished), migrationsDirectory());
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  });
  return name;
}

/** True when the PostgreSQL for tests answers. */
export async function isPostgresqlReachable(): Promise<boolean> {
  try {
    await withServer(async () => {});
    return true;
  } catch {
    return false;
  }
}

/** Runs one statement as the test server's administrator, by default on its maintenance database. */
export function administer(sql: string, database?: string): Promise<void> {
  return withServer(async (client) => {
    await client.query(sql);
  }, database);
}

async function withServer(
  work: (client: pg.Client) => Promise<void>,
  database?: string,
): Promise<void> {
  const connectionString = database === undefined ? SERVER_URL : urlOf(database);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(SERVER_URL);
  url.pathname = `/${database}`;
  return url.href;
}
