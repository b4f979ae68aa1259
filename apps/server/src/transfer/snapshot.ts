import { chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lockDirectory } from '../platform/database/directory-lock.ts';

const PREFIX = 'snapshot-';

/** A copy of the files of a database that a server uses. */
export interface Snapshot {
  /** Holds the folder `database`. */
  readonly directory: string;
  remove(): Promise<void>;
}

/**
 * Asks the server to copy its database into a new folder of the data directory. First deletes copies left
 * by killed commands.
 *
 * @param copyInto has the server copy the files into the folder of this name.
 */
export async function takeSnapshot(
  dataDir: string,
  copyInto: (folder: string) => Promise<void>,
): Promise<Snapshot> {
  await removeLeftovers(dataDir);
  const directory = await mkdtemp(join(dataDir, PREFIX));
  const lock = await lockDirectory(directory);
  const remove = async (): Promise<void> => {
    await rm(directory, { recursive: true, force: true });
    await lock.release();
  };
  try {
    await giveToOwnerOf(dataDir, directory);
    await copyInto(basename(directory));
    return { directory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The kernel has released the lock of a command that was killed. */
async function removeLeftovers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  for (const name of names.filter((found) => found.startsWith(PREFIX))) {
    const directory = join(dataDir, name);
    const lock = await lockDirectory(directory).catch(() => undefined);
    if (lock === undefined) continue;
    await rm(directory, { recursive: true, force: true });
    await lock.release();
  }
}

/** Root made the folder, but the server of another user writes into it. */
async function giveToOwnerOf(dataDir: string, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dataDir);
  await chown(directory, uid, gid);
}
