import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/** Where the tests expect PostgreSQL. The role must be allowed to create databases and roles. */
const testDatabaseUrl =
  process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** Whether that server accepts a connection. */
export async function isPostgresqlReachable() {
  const { Client } = createRequire(join(root, 'apps/server/package.json'))('pg');
  const client = new Client({
    connectionString: testDatabaseUrl,
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
