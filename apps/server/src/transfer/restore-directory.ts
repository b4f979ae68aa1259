import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { databaseFiles } from '../platform/database/database-files.ts';
import { lockDirectory } from '../platform/database/directory-lock.ts';
import { applyMigrations, migrationNames } from '../platform/database/migrate.ts';
import { migrationsDirectory, preparedDatabaseFile } from '../platform/database/package-files.ts';
import { openPglite } from '../platform/database/pglite.ts';
import { rawPglite } from '../platform/database/raw-database.ts';
import { runStartStep } from '../platform/database/start-step.ts';
import { keyFilePath } from '../vault/key-file.ts';
import type { Header } from './header.ts';
import { type Imported, type ImportOptions, importedOf, readKeyFile } from './imported.ts';
import { readTransferFile, type TransferFile } from './read-transfer-file.ts';
import { TransferError } from './transfer-error.ts';
import { writeDatabase } from './write-database.ts';
import { writeNewFile } from './write-new-file.ts';

const PREFIX = 'restoring-';

export interface RestoreOptions extends ImportOptions {
  /** Without a database; it is created if necessary. */
  readonly dataDir: string;
}

/**
 * Makes a data directory from a file: the database, and the key file if the file has one. The database gets
 * its name when it is complete, so that no server starts with half of it.
 *
 * @throws TransferError, DatabaseStartError
 */
export async function restoreDirectory(options: RestoreOptions): Promise<Imported> {
  const { dataDir } = options;
  const file = await readTransferFile(options);
  try {
    const lock = await lockDirectory(dataDir);
    try {
      return await restore(file, options);
    } finally {
      await lock.release();
    }
  } finally {
    await file.close();
  }
}

async function restore(
  file: TransferFile,
  { dataDir, command, onProgress }: RestoreOptions,
): Promise<Imported> {
  const { header } = file;
  if (existsSync(databaseFiles(dataDir))) {
    throw new TransferError(
      'not_empty',
      `${resolve(dataDir)} has a database already. Choose another GATEHOUSE_DATA_DIR, or move this one away.`,
    );
  }
  const hasKeys = await hasSameKeys(dataDir, header);
  await removeLeftovers(dataDir);
  const draft = await mkdtemp(join(dataDir, PREFIX));
  try {
    await runStartStep('pglite', () => fill(draft, file, command, onProgress));
    if (header.keyFile !== null && !hasKeys)
      await writeNewFile(keyFilePath(dataDir), { force: false }, header.keyFile);
    // Left by a first start that was killed: the server would delete the database.
    await rm(join(dataDir, 'database.initialising'), { force: true });
    await rename(databaseFiles(draft), databaseFiles(dataDir));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return importedOf(header);
}

/** @throws TransferError when the directory has other keys than the file */
async function hasSameKeys(dataDir: string, { keyFile }: Header): Promise<boolean> {
  const found = await readKeyFile(dataDir);
  if (found === null || keyFile === null) return found !== null;
  if (found === keyFile) return true;
  throw new TransferError(
    'keys_differ',
    `${keyFilePath(dataDir)} holds other keys than the file. Choose another GATEHOUSE_DATA_DIR, or move this one away.`,
  );
}

async function fill(
  directory: string,
  file: TransferFile,
  command: string,
  onProgress: ImportOptions['onProgress'],
): Promise<void> {
  const migrations = migrationsDirectory();
  const last = file.header.migrations.at(-1);
  const isNewest = migrationNames(migrations).at(-1) === last;
  const preparedDatabase = isNewest ? preparedDatabaseFile() : undefined;
  const database = await openPglite({ directory, preparedDatabase });
  try {
    await applyMigrations(database, migrations, last);
    await writeDatabase(await rawPglite(database), file, command, onProgress);
  } finally {
    await database.close();
  }
}

async function removeLeftovers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  for (const name of names.filter((found) => found.startsWith(PREFIX))) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}
