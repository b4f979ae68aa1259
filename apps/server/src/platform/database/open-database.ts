import { MarkNotHeardError } from '../changes/marked-listener.ts';
import { PostgresqlChanges } from '../changes/postgresql-changes.ts';
import { createPgliteStore, createPostgresqlStore, type StoreOptions } from './create-store.ts';
import { lockDirectory } from './directory-lock.ts';
import type { EmbeddedFailure } from './disk-guard.ts';
import { applyMigrations, refuseOutstanding } from './migrate.ts';
import {
  checkMigrated,
  migratePostgresql,
  type StartLimits,
  waitForPostgresql,
} from './migrate-postgresql.ts';
import { migrationsDirectory, preparedDatabaseFile } from './package-files.ts';
import { openPglite } from './pglite.ts';
import { connectionOptions, openPool } from './postgresql.ts';
import { noNotifications, runStartStep } from './start-step.ts';
import type { Store } from './store.ts';

/** Connections of one node to PostgreSQL, not counting the two that listen for changes. */
const POOL_SIZE = 10;

export interface DatabaseConfig {
  /** A PostgreSQL connection string. Without one, PGlite in `dataDir` is used. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
}

export interface OpenOptions extends StoreOptions, StartLimits {
  /** A directory of migrations. Default: the package's. */
  readonly migrations?: string;
  /** Whether outstanding migrations are applied, or refused. Default: `apply`. */
  readonly pending?: 'apply' | 'refuse';
  /** A gzipped PGlite dump to start from. Default: the build's, if any, unless `migrations` is given. */
  readonly preparedDatabase?: string;
  /** Called once when the embedded database cannot be used any more. */
  readonly onFailure?: (error: EmbeddedFailure) => void;
}

/**
 * Opens the configured database and applies outstanding migrations, or refuses them.
 *
 * @throws DatabaseStartError with a message for the operator.
 */
export function openDatabase(config: DatabaseConfig, options: OpenOptions = {}): Promise<Store> {
  return config.databaseUrl === undefined
    ? openEmbedded(config.dataDir, options)
    : openPostgresql(config.databaseUrl, options);
}

async function openEmbedded(dataDir: string, options: OpenOptions): Promise<Store> {
  const { migrations, preparedDatabase = migrations ? undefined : preparedDatabaseFile() } =
    options;
  const lock = await lockDirectory(dataDir);
  try {
    const { onFailure } = options;
    const database = await runStartStep('pglite', () =>
      openPglite({ directory: dataDir, preparedDatabase, lock, onFailure }),
    );
    try {
      const migrate = options.pending === 'refuse' ? refuseOutstanding : applyMigrations;
      await runStartStep<unknown>('pglite', () =>
        migrate(database, migrations ?? migrationsDirectory()),
      );
    } catch (error) {
      await database.close().catch(() => undefined);
      throw error;
    }
    return createPgliteStore(database, { ...options, dataDir, afterClose: () => lock.release() });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openPostgresql(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const migrations = options.migrations ?? migrationsDirectory();
  const changes = new PostgresqlChanges(connectionOptions(databaseUrl));
  await runStartStep('postgresql', async () => {
    await waitForPostgresql(databaseUrl, options);
    // Before the migrations: their lock belongs to a session, which a transaction pooler does not keep.
    await changes.start().catch((error: unknown) => {
      throw error instanceof MarkNotHeardError ? noNotifications(error) : error;
    });
    try {
      if (options.pending === 'refuse') await checkMigrated(databaseUrl, migrations);
      else await migratePostgresql(databaseUrl, migrations, options);
    } catch (error) {
      await changes.close();
      throw error;
    }
  });
  return createPostgresqlStore(openPool(databaseUrl, POOL_SIZE), changes, options);
}
