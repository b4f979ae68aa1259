import pg from 'pg';

/**
 * Gives values the same form on every connection, whatever the server, the database or the role sets. The
 * driver and Prisma's adapter read time stamps as UTC in ISO form, bytes as hex, and the text of
 * statements without escapes.
 */
export const SAME_VALUES = [
  "SET TIME ZONE 'UTC'",
  "SET DateStyle = 'ISO, YMD'",
  "SET IntervalStyle = 'postgres'",
  "SET bytea_output = 'hex'",
  'SET extra_float_digits = 1',
  'SET standard_conforming_strings = on',
].join('; ');

/** Timeouts of every connection, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;
const QUERY_TIMEOUT = 10_000;

/**
 * Enforced by PostgreSQL: ends statements that no node waits for any more, and releases their row
 * locks. A lock is waited for as long as a transaction may take.
 */
const SESSION_LIMITS =
  'SET statement_timeout = 10000; SET idle_in_transaction_session_timeout = 10000; SET lock_timeout = 5000';

/**
 * Closes a connection that no longer responds, instead of returning it to the pool. After a query has
 * timed out the connection stays busy for ever, and the driver adapter releases it without an error.
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

export function openPool(url: string, max: number, queryTimeout = QUERY_TIMEOUT): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    Client: BoundedClient as typeof pg.Client,
    max,
    query_timeout: queryTimeout,
    onConnect: async (client) => {
      await client.query(`${SAME_VALUES}; ${SESSION_LIMITS}`);
    },
  });
  // The pool replaces a connection that is lost while idle. Unhandled, the event would end the process.
  pool.on('error', () => {});
  return pool;
}
