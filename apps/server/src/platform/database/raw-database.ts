import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { connectionOptions, SAME_VALUES } from './postgresql.ts';

/** One connection past Prisma, for jobs that read or write whole tables. It has no time limits. */
export interface RawDatabase {
  /** Columns have the driver's types: cast to text whatever should not depend on them. */
  query(sql: string, values?: readonly string[]): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

const SETTINGS = [SAME_VALUES, 'SET statement_timeout = 0'];

export async function rawPglite(database: PGlite): Promise<RawDatabase> {
  await database.exec(SETTINGS.join(';'));
  return {
    query: async (sql, values = []) => (await database.query(sql, [...values])).rows,
    close: () => database.close(),
  };
}

export async function openRawPostgresql(url: string): Promise<RawDatabase> {
  const client = new pg.Client(connectionOptions(url));
  // A lost connection fails the statement that runs; unhandled, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(
      [...SETTINGS, 'SET idle_in_transaction_session_timeout = 0', 'SET lock_timeout = 5000'].join(
        ';',
      ),
    );
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    query: async (sql, values = []) => (await client.query(sql, [...values])).rows,
    close: () => client.end(),
  };
}
