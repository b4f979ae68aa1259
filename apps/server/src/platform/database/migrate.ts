import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { sqlState } from './database-failure.ts';
import { type MigrationList, readMigrations } from './migration-files.ts';
import { schemaEngine } from './schema-engine.ts';
import { DatabaseStartError, INSUFFICIENT_PRIVILEGE, notPermitted } from './start-error.ts';

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Marks the migration as finished in its own transaction. The engine does so afterwards: a process
 * killed in between would leave an applied migration that is recorded as unfinished.
 */
const RECORD_FINISHED =
  'UPDATE "_prisma_migrations" SET "finished_at" = now() WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL;';

const HAS_TABLE = `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL`;

/** Rolled back attempts do not count. Any other unfinished one has to be handled by the engine. */
const RECORDED_MIGRATIONS =
  'SELECT "migration_name", "finished_at" IS NOT NULL FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL';

/**
 * Applies the outstanding migrations of `directory`, each in one transaction. One that failed before
 * is tried again with its current SQL. The caller makes sure that only one process migrates at a time.
 *
 * @param last the last one to apply; all of them when left out.
 * @returns the names of the migrations that were applied.
 * @throws DatabaseStartError `migration_failed`, `not_permitted`
 */
export async function applyMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  directory: string,
  last?: string,
): Promise<string[]> {
  const migrationsList = readMigrations(directory, last);
  if (await isUpToDate(factory, namesIn(migrationsList))) return [];
  const input = { migrationsList, filters: NO_FILTERS };
  let lastFailure: unknown;
  const onFailure = (error: unknown): void => {
    lastFailure = error;
  };
  const engine = await schemaEngine({
    ...factory,
    connect: async () => reportingFailures(inOneTransaction(await factory.connect()), onFailure),
  });
  try {
    const history = await engine.diagnoseMigrationHistory({
      ...input,
      optInToShadowDatabase: false,
    });
    for (const migrationName of history.failedMigrationNames) {
      await engine.markMigrationRolledBack({ migrationName });
    }
    return (await engine.applyMigrations(input)).appliedMigrationNames;
  } catch (error) {
    throw migrationFailed(error, lastFailure);
  } finally {
    engine.free();
  }
}

/**
 * The migrations of `directory` that the database does not have.
 *
 * @returns their names, oldest first
 */
async function outstandingMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  directory: string,
): Promise<string[]> {
  const names = namesIn(readMigrations(directory));
  const recorded = await recordedMigrations(factory);
  return names.filter((name) => recorded?.get(name) !== true);
}

/** @throws DatabaseStartError `migrations_outstanding` */
export async function refuseOutstanding(
  factory: SqlMigrationAwareDriverAdapterFactory,
  directory: string,
): Promise<void> {
  const { length } = await outstandingMigrations(factory, directory);
  if (length === 0) return;
  throw new DatabaseStartError(
    'migrations_outstanding',
    `The database lacks ${length} migrations of this version of Gatehouse. ` +
      'Start the server of this version first, or run the command of the version that runs.',
  );
}

/** Saves a start without migrations from loading the engine, which takes 0.3 s and 10 MB that stay allocated. */
async function isUpToDate(
  factory: SqlMigrationAwareDriverAdapterFactory,
  names: readonly string[],
): Promise<boolean> {
  const recorded = await recordedMigrations(factory);
  if (recorded === undefined) return false;
  const areFinished = [...recorded.values()].every(Boolean);
  return areFinished && names.every((name) => recorded.get(name) === true);
}

/** Whether each recorded migration is finished; undefined for a database without any. */
async function recordedMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<ReadonlyMap<unknown, boolean> | undefined> {
  const adapter = await factory.connect();
  try {
    const [[hasTable] = []] = await rowsOf(adapter, HAS_TABLE);
    if (hasTable !== true) return undefined;
    const rows = await rowsOf(adapter, RECORDED_MIGRATIONS);
    return new Map(rows.map(([name, state]) => [name, state === true]));
  } finally {
    await adapter.dispose();
  }
}

async function rowsOf(adapter: SqlDriverAdapter, sql: string): Promise<unknown[][]> {
  return (await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows;
}

function namesIn({ migrationDirectories }: MigrationList): string[] {
  return migrationDirectories.map(({ path }) => path);
}

/** Our adapters send a script as one simple query, which PostgreSQL runs as one transaction. */
function inOneTransaction(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const executeScript = adapter.executeScript.bind(adapter);
  return Object.assign(adapter, {
    executeScript: (script: string) => executeScript(`${script}\n;${RECORD_FINISHED}`),
  });
}

/** Reports the database's own errors, which the engine's error does not contain in full. */
function reportingFailures(
  adapter: SqlDriverAdapter,
  onFailure: (error: unknown) => void,
): SqlDriverAdapter {
  const { executeScript, executeRaw, queryRaw } = adapter;
  const reporting =
    <A extends unknown[], R>(send: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await send.apply(adapter, args);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    };
  return Object.assign(adapter, {
    executeScript: reporting(executeScript),
    executeRaw: reporting(executeRaw),
    queryRaw: reporting(queryRaw),
  });
}

/** The engine's message contains the migration's name and a backtrace, but not the database's error. */
function migrationFailed(engineError: unknown, lastFailure: unknown): DatabaseStartError {
  if (sqlState(lastFailure) === INSUFFICIENT_PRIVILEGE) return notPermitted(lastFailure);
  const engineText = messageOf(engineError);
  const name = /migration_name="([^"]+)"/.exec(engineText)?.[1];
  const message =
    name === undefined || lastFailure === undefined
      ? `The database migrations failed: ${engineText.replace(/\s+0: [\s\S]*/, '').replace(/\s+/g, ' ')}`
      : `The database migration ${name} failed: ${messageOf(lastFailure)}`;
  return new DatabaseStartError('migration_failed', message, { cause: engineError });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
