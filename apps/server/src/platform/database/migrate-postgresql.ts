import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { failureCode } from './database-failure.ts';
import { applyMigrations, type MigrationConnection, refuseOutstanding } from './migrate.ts';
import { connectionOptions } from './postgresql.ts';
import { DatabaseStartError } from './start-error.ts';
import { INSUFFICIENT_PRIVILEGE, unreachable } from './start-step.ts';

const OLDEST_MAJOR = 15;

/** In milliseconds. */
export interface StartLimits {
  /** How long to retry while the server cannot be reached. */
  readonly reachWithin?: number | undefined;
  /** How long to wait while another process migrates. */
  readonly lockWithin?: number | undefined;
}

export interface MigrateOptions extends StartLimits {
  /** The last migration to apply; all of them when left out. */
  readonly last?: string | undefined;
}

const REACH_WITHIN = 10_000;
const LOCK_WITHIN = 60_000;
const ATTEMPT_EVERY = 500;

/** An arbitrary number: the advisory lock that allows only one process at a time to migrate. */
const MIGRATION_LOCK = 4_740_197_212;

/** SQLSTATEs that retrying does not fix: a wrong password, role or database. */
const PERMANENT_FAILURES = new Set(['28000', '28P01', '3D000', INSUFFICIENT_PRIVILEGE]);

/** Waits for the server and checks its version. @throws DatabaseStartError */
export async function waitForPostgresql(
  url: string,
  { reachWithin = REACH_WITHIN }: StartLimits = {},
): Promise<void> {
  const pool = new pg.Pool({ ...connectionOptions(url), max: 1 });
  pool.on('error', () => {});
  try {
    await waitForServer(pool, performance.now() + reachWithin);
    await checkVersion(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Applies outstanding migrations. When several processes start at once, an advisory lock makes them
 * migrate one after another; PostgreSQL releases it when its connection ends.
 *
 * @throws DatabaseStartError
 */
export async function migratePostgresql(
  url: string,
  migrations: string,
  { lockWithin = LOCK_WITHIN, last }: MigrateOptions = {},
): Promise<void> {
  await withConnection(url, async (connection) => {
    await connection.exec(`SET lock_timeout = ${lockWithin}`);
    await connection.exec(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await connection.exec('RESET lock_timeout');
    await applyMigrations(connection, migrations, last);
  });
}

/** @throws DatabaseStartError `migrations_outstanding` */
export async function checkMigrated(url: string, migrations: string): Promise<void> {
  await withConnection(url, (connection) => refuseOutstanding(connection, migrations));
}

async function withConnection(
  url: string,
  work: (connection: MigrationConnection) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  // A lost connection fails the statement that runs; unhandled, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await work({
      exec: (script) => client.query(script),
      query: (sql, values) => client.query(sql, values),
    });
  } finally {
    await client.end();
  }
}

async function waitForServer(pool: pg.Pool, deadline: number): Promise<void> {
  for (;;) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      const isPermanent = PERMANENT_FAILURES.has(failureCode(error) ?? '');
      if (isPermanent || performance.now() + ATTEMPT_EVERY > deadline) {
        throw unreachable('postgresql', error);
      }
    }
    await delay(ATTEMPT_EVERY);
  }
}

async function checkVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ server_version_num: string }>('SHOW server_version_num');
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (major >= OLDEST_MAJOR) return;
  throw new DatabaseStartError(
    'unsupported_version',
    `The server in DATABASE_URL is PostgreSQL ${major}. Use PostgreSQL ${OLDEST_MAJOR} or later.`,
  );
}
