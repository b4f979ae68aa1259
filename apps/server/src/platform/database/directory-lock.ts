import { mkdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';
import { DatabaseStartError } from './start-error.ts';

/** Exclusive use of a data directory, until `release` or until the process ends in any way. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Acquires the kernel lock on `<directory>/lock`, creating the directory (mode 0700) if necessary.
 * Lock before opening the database: two processes with one PGlite directory open destroy it. Unlike
 * timestamps and pids, a kernel lock survives a stalled event loop and is free at once after a kill.
 *
 * @throws DatabaseStartError `directory_in_use` when another process has the lock,
 *   `directory_unusable` when the directory cannot be created or written.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const file = await openLockFile(directory);
  if (!tryLock(file.fd)) {
    await file.close();
    throw new DatabaseStartError(
      'directory_in_use',
      `The data directory ${resolve(directory)} is in use by another Gatehouse process. ` +
        'Stop that process, choose another GATEHOUSE_DATA_DIR, or set DATABASE_URL so that both share one PostgreSQL database.',
    );
  }
  return {
    release: async () => {
      unlock(file.fd);
      await file.close();
    },
  };
}

async function openLockFile(directory: string): Promise<FileHandle> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return await open(join(directory, 'lock'), 'a+', 0o600);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new DatabaseStartError(
      'directory_unusable',
      `The data directory ${resolve(directory)} cannot be used (${reason}). Check its permissions or choose another GATEHOUSE_DATA_DIR.`,
    );
  }
}
