import { PostgresqlChanges } from '../changes/postgresql-changes.ts';
import { createPgliteStore, createPostgresqlStore, type StoreOptions } from './create-store.ts';
import { lockDirectory } from './directory-lock.ts';
import { applyMigrations } from './migrate.ts';
import { migrationsDirectory, preparedDatabaseFile } from './package-files.ts';
import { openPglite } from './pglite.ts';
import { pgliteAdapter } from './pglite-adapter.ts';
import { connectionOptions, openPool } from './postgresql.ts';
import { orStartError } from './start-failure.ts';
import { migratePostgresql, type StartLimits } from './start-postgresql.ts';
import type { Store } from './store.ts';

/** Connections of one node to PostgreSQL, the listening one not counted. */
const POOL_SIZE = 10;

export interface DatabaseConfig {
  /** A PostgreSQL connection string; absent: PGlite in `dataDir`. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
}

export interface OpenOptions extends StoreOptions, StartLimits {
  /** A directory of migrations. Default: the package's own. */
  readonly migrations?: string;
  /** A gzipped PGlite dump to begin from. Default: the build's, if any, unless `migrations` are others. */
  readonly preparedDatabase?: string;
}

/**
 * Opens the database of the configuration and applies outstanding migrations.
 *
 * @throws DatabaseStartError with a sentence for the operator.
 */
export function openDatabase(config: DatabaseConfig, options: OpenOptions = {}): Promise<Store> {
  return config.databaseUrl === undefined
    ? openEmbedded(config.dataDir, options)
    : openServer(config.databaseUrl, options);
}

async function openEmbedded(dataDir: string, options: OpenOptions): Promise<Store> {
  const { migrations, preparedDatabase = migrations ? undefined : preparedDatabaseFile() } =
    options;
  const lock = await lockDirectory(dataDir);
  try {
    const database = await openPglite({ directory: dataDir, preparedDatabase });
    try {
      await orStartError('pglite', () =>
        applyMigrations(pgliteAdapter(database), migrations ?? migrationsDirectory()),
      );
    } catch (error) {
      await database.close();
      throw error;
    }
    return createPgliteStore(database, { ...options, afterClose: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openServer(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const changes = new PostgresqlChanges(connectionOptions(databaseUrl));
  await orStartError('postgresql', async () => {
    await migratePostgresql(databaseUrl, options.migrations ?? migrationsDirectory(), options);
    await changes.start();
  });
  return createPostgresqlStore(openPool(databaseUrl, POOL_SIZE), changes, options);
}
