import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Filesystem } from '@electric-sql/pglite/basefs';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { databaseFiles } from './database-files.ts';
import type { DirectoryLock } from './directory-lock.ts';
import { DiskError, DiskGuard, type EmbeddedFailure } from './disk-guard.ts';
import { unpackDump } from './dump-files.ts';
import { DatabaseStartError } from './start-error.ts';

/** The PostgreSQL major version of the pinned PGlite, which cannot open a directory of another version. */
const PGLITE_MAJOR = '18';

/** Without recycling, a checkpoint deletes the log before it instead of keeping up to 1 GB for later. */
const SETTINGS = ['shared_buffers=16MB', 'wal_recycle=off'];

export interface PgliteOptions {
  /** The data directory. Without one, the database is in memory. */
  readonly directory?: string;
  /** The files of a database in memory, when it does not begin empty. */
  readonly memory?: Filesystem;
  /** A gzipped dump that a directory without a database begins with: ten times faster than initdb. */
  readonly preparedDatabase?: string | undefined;
  /** The lock of the directory, where another process could open it. */
  readonly lock?: DirectoryLock | undefined;
  /** Called once when the disk is full or fails, or the lock is lost: the database is not used any more. */
  readonly onFailure?: ((error: EmbeddedFailure) => void) | undefined;
}

/**
 * Opens PGlite with small shared buffers (412 → 286 MB resident). Without `preparedDatabase` creating
 * a database takes some seconds. The caller must have locked the directory.
 *
 * @throws DatabaseStartError `unsupported_version` when another major version wrote the directory,
 *   `directory_unusable` when its files are damaged, and what `lockDatabase` throws.
 * @throws DiskError when the disk is full or fails.
 */
export async function openPglite(options: PgliteOptions): Promise<PGlite> {
  if (options.directory === undefined) {
    return create(options.memory);
  }
  const guard = new DiskGuard(options.onFailure);
  const directory = databaseFiles(options.directory);
  const marker = join(options.directory, 'database.initialising');
  if (existsSync(marker)) await rm(directory, { recursive: true, force: true });
  if (existsSync(join(directory, 'PG_VERSION'))) {
    checkVersion(directory);
    return guard.attach(await openExisting(directory, guard), options.lock);
  }
  // No write is acknowledged until the marker is removed, so a half-written database can be deleted.
  await writeFile(marker, '');
  const { preparedDatabase } = options;
  if (preparedDatabase !== undefined) guard.run(() => unpackDump(preparedDatabase, directory));
  const database = await create(guard.fileSystem(directory)).catch(ofDisk(guard));
  await rm(marker);
  options.lock?.lockDatabase();
  return guard.attach(database, options.lock);
}

function checkVersion(directory: string): void {
  const found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim();
  if (found === PGLITE_MAJOR) return;
  throw new DatabaseStartError(
    'unsupported_version',
    `The database in ${directory} was written by PostgreSQL ${found}, but this version of Gatehouse contains PostgreSQL ${PGLITE_MAJOR}. ` +
      'Start the version of Gatehouse that wrote it.',
  );
}

/** What PGlite throws when the disk fails while it starts need not name the disk. */
function ofDisk(guard: DiskGuard): (error: unknown) => never {
  return (error) => {
    guard.checkStart();
    throw error;
  };
}

async function openExisting(directory: string, guard: DiskGuard): Promise<PGlite> {
  try {
    return await create(guard.fileSystem(directory)).catch(ofDisk(guard));
  } catch (error) {
    if (error instanceof DiskError) throw error;
    throw new DatabaseStartError(
      'directory_unusable',
      `The database in ${directory} cannot be opened: it is incomplete or damaged. Restore the data directory from a backup.`,
      { cause: error },
    );
  }
}

function create(fs: Filesystem | undefined): Promise<PGlite> {
  return PGlite.create({
    ...(fs && { fs }),
    extensions: { btree_gin, pg_trgm },
    // startParams replaces the defaults instead of adding to them.
    startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
  });
}
