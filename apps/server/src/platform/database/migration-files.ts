import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';

export type { MigrationList };

/** The names of the migrations of a directory, oldest first. */
export function migrationNames(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * The migrations of a directory, oldest first, in the form that the schema engine expects.
 *
 * @param last the last one to take; all of them when left out.
 */
export function readMigrations(directory: string, last?: string): MigrationList {
  const lockFile = join(directory, 'migration_lock.toml');
  const names = migrationNames(directory).filter((name) => last === undefined || name <= last);
  return {
    baseDir: directory,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(join(directory, name, 'migration.sql'), 'utf8') },
      },
    })),
  };
}
