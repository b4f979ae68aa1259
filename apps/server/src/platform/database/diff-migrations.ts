import { readFileSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { readMigrations } from './migration-files.ts';
import { pgliteAdapter } from './pglite-adapter.ts';
import { schemaEngine } from './schema-engine.ts';

/**
 * The SQL that leads from the migrations of `directory` to the Prisma schema in `schema`; an empty
 * string when they agree. The migrations are applied to the empty `database` to find out.
 */
export async function diffMigrations(
  database: PGlite,
  directory: string,
  schema: string,
): Promise<string> {
  const content = readFileSync(schema, 'utf8');
  const adapter = pgliteAdapter(database);
  // The engine applies them to what it takes for a shadow database, and needs no other.
  const engine = await schemaEngine({ ...adapter, connectToShadowDb: adapter.connect }, content);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...readMigrations(directory) },
      to: { tag: 'schemaDatamodel', files: [{ path: schema, content }] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const sql = stdout ?? '';
    return sql.includes('This is an empty migration') ? '' : sql;
  } finally {
    engine.free();
  }
}
