import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { sqlState } from './database-failure.ts';
import { type MigrationList, readMigrations } from './migration-files.ts';
import { schemaEngine } from './schema-engine.ts';
import { DatabaseStartError } from './start-error.ts';
import { NOT_PERMITTED, notPermitted } from './start-failure.ts';

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Recorded in the migration's own transaction, so that a process killed between the script's commit
 * and the engine's record does not leave an applied migration that reads as unfinished.
 */
const RECORD_FINISHED =
  'UPDATE "_prisma_migrations" SET "finished_at" = now() WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL;';

const HAS_TABLE = `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL`;

/** Attempts that were rolled back are history; one that is neither that nor finished needs the engine. */
const RECORDED =
  'SELECT "migration_name", "finished_at" IS NOT NULL FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL';

/**
 * Applies the migrations of `directory` that the database does not have yet, each in one transaction.
 * One that failed before is tried again with its present text. The caller sees to it that only one
 * process at a time gets here.
 *
 * @returns the names applied now.
 * @throws DatabaseStartError `migration_failed`, `not_permitted`
 */
export async function applyMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  directory: string,
): Promise<string[]> {
  const migrationsList = readMigrations(directory);
  if (await isUpToDate(factory, namesIn(migrationsList))) return [];
  const input = { migrationsList, filters: NO_FILTERS };
  let lastFailure: unknown;
  const noteFailure = (error: unknown): void => {
    lastFailure = error;
  };
  const engine = await schemaEngine({
    ...factory,
    connect: async () => noting(inOneTransaction(await factory.connect()), noteFailure),
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

/** Asked first: loading the engine costs every later start a third of a second, and 10 MB for good. */
async function isUpToDate(
  factory: SqlMigrationAwareDriverAdapterFactory,
  names: readonly string[],
): Promise<boolean> {
  const adapter = await factory.connect();
  try {
    const [[hasTable] = []] = await rowsOf(adapter, HAS_TABLE);
    if (hasTable !== true) return false;
    const rows = await rowsOf(adapter, RECORDED);
    const finished = new Set(rows.filter(([, state]) => state === true).map(([name]) => name));
    return rows.every(([, state]) => state === true) && names.every((name) => finished.has(name));
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

/** The adapter sends a script as one simple query, which PostgreSQL runs as one transaction. */
function inOneTransaction(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const executeScript = adapter.executeScript.bind(adapter);
  return Object.assign(adapter, {
    executeScript: (script: string) => executeScript(`${script}\n;${RECORD_FINISHED}`),
  });
}

/** Tells what the database refused: the engine does not say in whole. */
function noting(
  adapter: SqlDriverAdapter,
  noteFailure: (error: unknown) => void,
): SqlDriverAdapter {
  const { executeScript, executeRaw, queryRaw } = adapter;
  const noted =
    <A extends unknown[], R>(send: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await send.apply(adapter, args);
      } catch (error) {
        noteFailure(error);
        throw error;
      }
    };
  return Object.assign(adapter, {
    executeScript: noted(executeScript),
    executeRaw: noted(executeRaw),
    queryRaw: noted(queryRaw),
  });
}

/** The engine names the migration, amid a backtrace of its own, but not what the database said. */
function migrationFailed(engineError: unknown, lastFailure: unknown): DatabaseStartError {
  if (sqlState(lastFailure) === NOT_PERMITTED) return notPermitted(lastFailure);
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
