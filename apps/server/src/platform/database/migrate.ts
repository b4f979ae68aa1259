import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqlState } from './database-failure.ts';
import { DatabaseStartError } from './start-error.ts';
import { INSUFFICIENT_PRIVILEGE, notPermitted } from './start-step.ts';

/** A connection that nothing else uses meanwhile; PGlite is one as it is. */
export interface MigrationConnection {
  /** Runs a script as one simple query, which PostgreSQL runs as one transaction. */
  exec(script: string): Promise<unknown>;
  query(sql: string, values?: string[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A file of SQL, and the name of its folder. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The table as Prisma creates it, so that Prisma's tools accept the database. */
const CREATE_TABLE = `CREATE TABLE "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

const FIND_TABLES = `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "hasRecords",
  EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema()) AS "hasTables"`;

/** Attempts that were rolled back do not count. */
const RECORDED =
  'SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "isFinished" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL';

/** A migration and its record are committed together, so an unfinished one has changed nothing. */
const ROLL_BACK_UNFINISHED =
  'UPDATE "_prisma_migrations" SET "rolled_back_at" = now() WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL';

/** The names of the migrations of a directory, oldest first. */
export function migrationNames(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The migrations of a directory, oldest first. */
export function readMigrations(directory: string): Migration[] {
  return migrationNames(directory).map((name) => ({
    name,
    sql: readFileSync(join(directory, name, 'migration.sql'), 'utf8'),
  }));
}

/**
 * Applies the outstanding migrations of `directory`, each in one transaction. One that failed or was
 * killed is tried again with its current SQL. The caller makes sure that only one process migrates at
 * a time.
 *
 * @param last the last one to apply; all of them when left out.
 * @returns the names of the migrations that were applied.
 * @throws DatabaseStartError `migration_failed`, `not_permitted`
 */
export async function applyMigrations(
  connection: MigrationConnection,
  directory: string,
  last?: string,
): Promise<string[]> {
  const recorded = await recordedMigrations(connection);
  const outstanding = readMigrations(directory).filter(
    ({ name }) => recorded?.get(name) !== true && (last === undefined || name <= last),
  );
  if (recorded === undefined) await connection.exec(CREATE_TABLE);
  else if ([...recorded.values()].includes(false)) await connection.exec(ROLL_BACK_UNFINISHED);
  for (const migration of outstanding) await apply(connection, migration);
  return outstanding.map(({ name }) => name);
}

/** @throws DatabaseStartError `migrations_outstanding` */
export async function refuseOutstanding(
  connection: MigrationConnection,
  directory: string,
): Promise<void> {
  const recorded = await recordedMigrations(connection);
  const missing = migrationNames(directory).filter((name) => recorded?.get(name) !== true);
  if (missing.length === 0) return;
  throw new DatabaseStartError(
    'migrations_outstanding',
    `The database lacks ${missing.length} migrations of this version of Gatehouse. ` +
      'Start the server of this version first, or run the command of the version that runs.',
  );
}

/**
 * Whether each recorded migration is finished; undefined for an empty database.
 *
 * @throws DatabaseStartError `migration_failed` for a database with tables of something else
 */
async function recordedMigrations(
  connection: MigrationConnection,
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const { rows } = await connection.query(FIND_TABLES);
  const [found] = rows as readonly { hasRecords: boolean; hasTables: boolean }[];
  if (found?.hasRecords !== true) {
    if (found?.hasTables !== true) return undefined;
    throw new DatabaseStartError(
      'migration_failed',
      "The database migrations failed: the database has tables that are not Gatehouse's. Choose an empty database.",
    );
  }
  const recorded = await connection.query(RECORDED);
  return new Map(
    (recorded.rows as readonly { name: string; isFinished: boolean }[]).map(
      ({ name, isFinished }) => [name, isFinished],
    ),
  );
}

async function apply(connection: MigrationConnection, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  const checksum = createHash('sha256').update(sql).digest('hex');
  try {
    await connection.query(
      'INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ($1, $2, $3)',
      [id, checksum, name],
    );
    await connection.exec(
      `${sql}\n;UPDATE "_prisma_migrations" SET "finished_at" = clock_timestamp(), "applied_steps_count" = 1 WHERE "id" = '${id}'`,
    );
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) throw notPermitted(error);
    const reason = error instanceof Error ? error.message : String(error);
    const logging = 'UPDATE "_prisma_migrations" SET "logs" = $2 WHERE "id" = $1';
    await connection.query(logging, [id, reason]).catch(() => undefined);
    throw new DatabaseStartError(
      'migration_failed',
      `The database migration ${name} failed: ${reason}`,
      { cause: error },
    );
  }
}
