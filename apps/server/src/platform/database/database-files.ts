import { join } from 'node:path';

/** Where the files of the database are in a data directory. */
export function databaseFiles(dataDir: string): string {
  return join(dataDir, 'database');
}
