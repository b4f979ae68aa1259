import { lockDirectory } from '../platform/database/directory-lock.ts';
import { openPglite, type PgliteOptions } from '../platform/database/pglite.ts';
import {
  openRawPostgresql,
  type RawDatabase,
  rawPglite,
} from '../platform/database/raw-database.ts';
import { runStartStep } from '../platform/database/start-step.ts';
import { takeSnapshot } from './snapshot.ts';

/** The database, which is there, of a data directory that no server uses. @throws DatabaseStartError */
export async function openEmbedded(dataDir: string): Promise<RawDatabase> {
  const lock = await lockDirectory(dataDir);
  try {
    return await openFiles({ directory: dataDir, lock }, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The database of a data directory that a server uses: a copy of its files, as they are now, which `close`
 * deletes.
 *
 * @param copyInto has the server copy the files into this folder of the data directory.
 * @throws DatabaseStartError
 */
export async function openServed(
  dataDir: string,
  copyInto: (folder: string) => Promise<void>,
): Promise<RawDatabase> {
  const snapshot = await takeSnapshot(dataDir, copyInto);
  try {
    return await openFiles({ directory: snapshot.directory }, () => snapshot.remove());
  } catch (error) {
    await snapshot.remove();
    throw error;
  }
}

/** @throws DatabaseStartError */
export function openPostgresql(url: string): Promise<RawDatabase> {
  return runStartStep('postgresql', () => openRawPostgresql(url));
}

async function openFiles(
  files: Pick<PgliteOptions, 'directory' | 'lock'>,
  afterClose: () => Promise<void>,
): Promise<RawDatabase> {
  const database = await runStartStep('pglite', async () => rawPglite(await openPglite(files)));
  return { ...database, close: () => database.close().finally(afterClose) };
}
