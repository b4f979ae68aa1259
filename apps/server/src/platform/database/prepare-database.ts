import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { applyMigrations, readMigrations } from './migrate.ts';
import { openPglite } from './pglite.ts';

/** Identifies what a prepared database depends on: the migrations and the PGlite version. */
export function databaseFingerprint(migrations: string): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest = readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8');
  const { version }: { version?: unknown } = JSON.parse(manifest);
  return createHash('sha256')
    .update(JSON.stringify([version, readMigrations(migrations)]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Returns the path of a gzipped dump of an empty, migrated PGlite in the folder `cache`. Creates it
 * if it does not exist, which takes some seconds.
 */
export async function prepareDatabase(migrations: string, cache: string): Promise<string> {
  const file = join(cache, `empty-database-${databaseFingerprint(migrations)}.tar.gz`);
  if (existsSync(file)) return file;
  const database = await openPglite({});
  try {
    await applyMigrations(database, migrations);
    const dump = await database.dumpDataDir('gzip');
    await mkdir(cache, { recursive: true });
    const unfinished = `${file}.${randomUUID()}`;
    await writeFile(unfinished, new Uint8Array(await dump.arrayBuffer()));
    await rename(unfinished, file);
  } finally {
    await database.close();
  }
  return file;
}
