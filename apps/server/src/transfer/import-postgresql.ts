import { rm } from 'node:fs/promises';
import { migratePostgresql, waitForPostgresql } from '../platform/database/migrate-postgresql.ts';
import { migrationsDirectory } from '../platform/database/package-files.ts';
import { openRawPostgresql } from '../platform/database/raw-database.ts';
import { runStartStep } from '../platform/database/start-step.ts';
import type { Header } from './header.ts';
import { asVariable, type Imported, type ImportOptions, importedOf } from './imported.ts';
import { readTransferFile, type TransferFile } from './read-transfer-file.ts';
import { TransferError } from './transfer-error.ts';
import { writeDatabase } from './write-database.ts';
import { writeNewFile } from './write-new-file.ts';

export interface ImportPostgresqlOptions extends ImportOptions {
  readonly databaseUrl: string;
  /** The ids of the keys in `GATEHOUSE_ENCRYPTION_KEYS`. */
  readonly loadedKeyIds: readonly string[];
  /** A new file, mode 0600, for the keys of the file, as a line `GATEHOUSE_ENCRYPTION_KEYS=…`. */
  readonly keysTo?: string | undefined;
}

/**
 * Takes everything from a file into an empty PostgreSQL database, which gets the tables of the file's
 * version first. The server's start brings them up to date.
 *
 * @throws TransferError, DatabaseStartError
 */
export async function importPostgresql(options: ImportPostgresqlOptions): Promise<Imported> {
  const { keysTo } = options;
  const file = await readTransferFile(options);
  try {
    checkKeys(file.header, options);
    if (keysTo === undefined || file.header.keyFile === null) return await fill(file, options);
    await writeNewFile(keysTo, { force: false }, asVariable(file.header.keyFile));
    return await fill(file, options).catch(async (error: unknown) => {
      await rm(keysTo, { force: true });
      throw error;
    });
  } finally {
    await file.close();
  }
}

/** The keys of a data directory must go somewhere, or what they sealed cannot be opened. */
function checkKeys(header: Header, { loadedKeyIds, keysTo }: ImportPostgresqlOptions): void {
  const { keysInside } = importedOf(header);
  if (keysTo !== undefined || keysInside.every((keyId) => loadedKeyIds.includes(keyId))) return;
  throw new TransferError(
    'keys_nowhere',
    'The file holds encryption keys, which PostgreSQL does not keep. Give --keys-to FILE to write them into a file, ' +
      'or set GATEHOUSE_ENCRYPTION_KEYS to them.',
  );
}

async function fill(
  file: TransferFile,
  { databaseUrl, command, onProgress }: ImportPostgresqlOptions,
): Promise<Imported> {
  const { header } = file;
  await runStartStep('postgresql', async () => {
    await waitForPostgresql(databaseUrl);
    await migratePostgresql(databaseUrl, migrationsDirectory(), {
      last: header.migrations.at(-1),
    });
    const database = await openRawPostgresql(databaseUrl);
    try {
      await writeDatabase(database, file, command, onProgress);
    } finally {
      await database.close();
    }
  });
  return importedOf(header);
}
