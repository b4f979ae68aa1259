import { readFileSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { readMigrations } from './migration-files.ts';
import { pgliteAdapter } from './pglite-adapter.ts';
import { schemaEngine } from './schema-engine.ts';

/**
 * The SQL of the migration that is missing between the migrations in `directory` and the Prisma
 * schema file `schema`; an empty string when there is none. The comparison applies the migrations to
 * `database`, which must be empty.
 */
export async function diffMigrations(
  database: PGlite,
  directory: string,
  schema: string,
): Promise<string> {
  const content = readFileSync(schema, 'utf8');
  const adapter = pgliteAdapter(database);
  // The engine applies the migrations to its shadow database, so that is the only one it needs.
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
