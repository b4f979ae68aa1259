import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { databaseFiles } from './database-files.ts';

/** Bytes that stay free: the database stops at a full disk. */
const RESERVE = 256 * 1024 * 1024;

/** Half of the threads that Node has for files: the others look up names of upstreams meanwhile. */
const AT_ONCE = 2;

const HOW = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** The copy would fill the disk, and was not begun. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';

  constructor(needed: number) {
    super(
      `A copy of the database needs ${Math.ceil(needed / 2 ** 20)} MB on the disk of the data directory. Make room for it.`,
    );
  }
}

/**
 * Implements `Store.copyFiles`. The checkpoint before it lets PostgreSQL drop most of its log. Where the
 * file system shares blocks between files, the copy takes no time and no room.
 *
 * @throws NoRoomError
 */
export async function copyFiles(database: PGlite, dataDir: string, folder: string): Promise<void> {
  const from = databaseFiles(dataDir);
  const to = databaseFiles(join(dataDir, folder));
  await database.exec('CHECKPOINT');
  const needed = (await sizeOf(from)) + RESERVE;
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < needed) throw new NoRoomError(needed);
  try {
    await database.runExclusive(() => copyFolder(from, to));
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Node's `cp` copies files one after another and stats each several times, so statements would wait
 * longer.
 */
async function copyFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = (isWanted: (entry: Dirent) => boolean) =>
    entries.filter(isWanted).map(({ parentPath, name }) => relative(from, join(parentPath, name)));
  await mkdir(to, { recursive: true });
  for (const path of paths((entry) => entry.isDirectory()).sort()) {
    await mkdir(join(to, path), { recursive: true });
  }
  const files = paths((entry) => entry.isFile()).values();
  const copyEach = async (): Promise<void> => {
    for (const path of files) await copyFile(join(from, path), join(to, path), HOW);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyEach));
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  let size = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    size += found?.size ?? 0;
  }
  return size;
}
