import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { readMigrations } from './migration-files.ts';
import { schemaEngine } from './schema-engine.ts';
import { DatabaseStartError } from './start-error.ts';

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Recorded in the migration's own transaction, so that a process killed between the script's commit
 * and the engine's record does not leave an applied migration that reads as unfinished.
 */
const RECORD_FINISHED =
  'UPDATE "_prisma_migrations" SET "finished_at" = now() WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL;';

/**
 * Applies the migrations of `directory` that the database does not have yet, each in one transaction.
 * One that failed before is tried again with its present text. The caller sees to it that only one
 * process at a time gets here.
 *
 * @returns the names applied now.
 * @throws DatabaseStartError `migration_failed`
 */
export async function applyMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  directory: string,
): Promise<string[]> {
  const migrationsList = readMigrations(directory);
  const input = { migrationsList, filters: NO_FILTERS };
  let scriptFailure: unknown;
  const noteFailure = (error: unknown): void => {
    scriptFailure = error;
  };
  const engine = await schemaEngine({
    ...factory,
    connect: async () => inOneTransaction(await factory.connect(), noteFailure),
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
    throw migrationFailed(error, scriptFailure);
  } finally {
    engine.free();
  }
}

/** The adapter sends a script as one simple query, which PostgreSQL runs as one transaction. */
function inOneTransaction(
  adapter: SqlDriverAdapter,
  noteFailure: (error: unknown) => void,
): SqlDriverAdapter {
  const executeScript = adapter.executeScript.bind(adapter);
  return Object.assign(adapter, {
    executeScript: async (script: string) => {
      try {
        await executeScript(`${script}\n;${RECORD_FINISHED}`);
      } catch (error) {
        noteFailure(error);
        throw error;
      }
    },
  });
}

/** The engine names the migration, amid a backtrace of its own, but not what the database said. */
function migrationFailed(engineError: unknown, scriptFailure: unknown): DatabaseStartError {
  const engineText = messageOf(engineError);
  const name = /migration_name="([^"]+)"/.exec(engineText)?.[1];
  const message =
    name === undefined || scriptFailure === undefined
      ? `The database migrations failed: ${engineText.replace(/\s+0: [\s\S]*/, '').replace(/\s+/g, ' ')}`
      : `The database migration ${name} failed: ${messageOf(scriptFailure)}`;
  return new DatabaseStartError('migration_failed', message, { cause: engineError });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
