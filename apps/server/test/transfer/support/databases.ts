import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawDatabase, rawPglite } from '../../../src/platform/database/raw-database.ts';
import type { SealOptions } from '../../../src/transfer/sealed-file.ts';
import { afterFile } from '../../support/after-file.ts';
import { openPreparedPglite } from '../../support/database.ts';

/** scrypt with little work, for tests. */
export const SEAL: SealOptions = { passphrase: 'correct horse battery', workFactor: 8 };

/** A directory that is deleted after the file's tests. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-transfer-'));
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** An empty, migrated embedded database, in memory or in a data directory. */
export async function openEmbeddedDatabase(directory?: string): Promise<RawDatabase> {
  return rawPglite(await openPreparedPglite(directory));
}
