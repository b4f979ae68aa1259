import { PrismaPg } from '@prisma/adapter-pg';
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';

/** Bounds of every connection, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;
const QUERY_TIMEOUT = 10_000;

/** Set in the server: ends the statements and frees the row locks of a node that no longer waits for them. */
const SESSION_LIMITS =
  'SET statement_timeout = 10000; SET idle_in_transaction_session_timeout = 10000';

/**
 * A connection that no longer answers is closed instead of returned to the pool: the timeout of one
 * query leaves it busy for ever (the driver adapter releases it without telling the pool why).
 */
class BoundedClient extends pg.Client {
  override query(...args: never[]): never {
    const result: unknown = Reflect.apply(super.query, this, args);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') void this.end();
      });
    }
    return result as never;
  }
}

/** Options of every connection to the server. */
export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'gatehouse',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  };
}

/** A pool whose sessions speak UTC: the driver adapter reads every time stamp as UTC. */
export function openPool(url: string, max: number, queryTimeout = QUERY_TIMEOUT): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    Client: BoundedClient as typeof pg.Client,
    max,
    query_timeout: queryTimeout,
    onConnect: async (client) => {
      await client.query(`SET TIME ZONE 'UTC'; ${SESSION_LIMITS}`);
    },
  });
  // A connection lost while idle is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {});
  return pool;
}

/**
 * Prisma's adapter factory for PostgreSQL. `executeScript` is replaced: that of @prisma/adapter-pg
 * splits at every semicolon, quoted ones included, and runs the parts in transactions of their own.
 */
export function postgresqlAdapter(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  return {
    provider: 'postgres',
    adapterName: factory.adapterName,
    connect: async () => withScripts(await factory.connect(), pool),
    connectToShadowDb: () => factory.connectToShadowDb(),
  };
}

function withScripts(adapter: SqlDriverAdapter, pool: pg.Pool): SqlDriverAdapter {
  return Object.assign(adapter, {
    executeScript: async (script: string) => {
      await pool.query(script);
    },
  });
}
