import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * Whether the PostgreSQL of the tests accepts a connection: at TEST_DATABASE_URL or 127.0.0.1:5432, with a role
 * that may create databases and roles.
 */
export async function isPostgresqlReachable() {
  const { Client } = createRequire(join(root, 'apps/server/package.json'))('pg');
  const client = new Client({
    connectionString:
      process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres',
    connectionTimeoutMillis: 3_000,
  });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
