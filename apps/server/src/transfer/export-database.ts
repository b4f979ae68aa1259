import type { RawDatabase } from '../platform/database/raw-database.ts';
import { countRows, type Header } from './header.ts';
import { keyIdsIn, type OnProgress } from './imported.ts';
import { readDatabase } from './read-database.ts';
import { type SealOptions, writeSealedFile } from './sealed-file.ts';

export interface ExportOptions extends SealOptions {
  readonly path: string;
  /** The version of this program. */
  readonly version: string;
  /** The key file of the data directory, as it is; null where the keys are kept elsewhere. */
  readonly keyFile: string | null;
  readonly onProgress?: OnProgress | undefined;
}

/** The content of a transfer file. */
export interface Exported {
  readonly path: string;
  readonly rows: number;
  /** The ids of the keys in the file. */
  readonly keysInside: readonly string[];
  /** The ids of keys that the rows need and the file lacks: without them the sealed values cannot be opened. */
  readonly keysElsewhere: readonly string[];
}

/**
 * Writes everything in a database into one sealed file.
 *
 * @throws TransferError
 */
export async function exportDatabase(
  database: RawDatabase,
  options: ExportOptions,
): Promise<Exported> {
  let header: Header | undefined;
  const lines = readDatabase(database, options, (found) => {
    header = found;
  });
  await writeSealedFile(options.path, lines, options);
  if (header === undefined) throw new TypeError('A file without a header was written.');
  const keysInside = keyIdsIn(header.keyFile);
  return {
    path: options.path,
    rows: countRows(header),
    keysInside,
    keysElsewhere: header.keyIds.filter((keyId) => !keysInside.includes(keyId)),
  };
}
