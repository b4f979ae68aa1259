import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { failureCode } from './database-failure.ts';
import { applyMigrations } from './migrate.ts';
import { connectionOptions, postgresqlAdapter } from './postgresql.ts';
import { DatabaseStartError } from './start-error.ts';
import { unusable } from './start-failure.ts';

const OLDEST_MAJOR = 15;

/** In milliseconds. */
export interface StartLimits {
  /** How long an unreachable server is waited for. */
  readonly reachWithin?: number | undefined;
  /** How long other starting processes are. */
  readonly lockWithin?: number | undefined;
}

const REACH_WITHIN = 10_000;
const LOCK_WITHIN = 60_000;
const ATTEMPT_EVERY = 500;

/** Any fixed number: the advisory lock that lets one starting process at a time migrate. */
const MIGRATION_LOCK = 4_740_197_212;

/** SQLSTATEs of a refusal that waiting does not cure: wrong password, role or database. */
const REFUSALS = new Set(['28000', '28P01', '3D000', '42501']);

/**
 * Waits for the server, checks its version, and applies outstanding migrations. Several processes may
 * start at once: the session lock makes them take turns, and ends with its connection.
 *
 * @throws DatabaseStartError
 */
export async function migratePostgresql(
  url: string,
  migrations: string,
  { reachWithin = REACH_WITHIN, lockWithin = LOCK_WITHIN }: StartLimits = {},
): Promise<void> {
  const pool = new pg.Pool({ ...connectionOptions(url), max: 1 });
  pool.on('error', () => {});
  try {
    await reach(pool, performance.now() + reachWithin);
    await checkVersion(pool);
    const release = await takeLock(url, lockWithin);
    try {
      await applyMigrations(postgresqlAdapter(pool), migrations);
    } finally {
      await release();
    }
  } finally {
    await pool.end();
  }
}

/**
 * Takes the lock on a connection of its own: a pool gives a connection up after any failed statement,
 * and the schema engine's first look for its table fails on an empty database.
 */
async function takeLock(url: string, within: number): Promise<() => Promise<void>> {
  const client = new pg.Client(connectionOptions(url));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`SET lock_timeout = ${within}`);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  } catch (error) {
    await client.end();
    throw error;
  }
  return () => client.end();
}

async function reach(pool: pg.Pool, deadline: number): Promise<void> {
  for (;;) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      const code = codeOf(error);
      if (REFUSALS.has(code) || performance.now() + ATTEMPT_EVERY > deadline) {
        throw unusable('postgresql', code, error);
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
    `DATABASE_URL names a PostgreSQL ${major} server; Gatehouse needs PostgreSQL ${OLDEST_MAJOR} or later.`,
  );
}

function codeOf(error: unknown): string {
  return failureCode(error) ?? 'no answer in time';
}
