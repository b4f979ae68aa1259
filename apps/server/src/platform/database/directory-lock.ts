import { closeSync, existsSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';
import { databaseFiles } from './database-files.ts';
import { DatabaseStartError, LockLostError } from './start-error.ts';

/** Exclusive use of a data directory, until `release` or until the process ends in any way. */
export interface DirectoryLock {
  /**
   * To be called when the files of the database have been made.
   *
   * @throws DatabaseStartError `directory_in_use` or `lock_lost`
   */
  lockDatabase(): void;
  /** The error, when a path no longer leads to the file that is locked there. */
  findLoss(): LockLostError | undefined;
  release(): Promise<void>;
}

/**
 * Acquires the kernel lock on `<directory>/lock`, creating the directory (mode 0700) if necessary, and on
 * the database in it. Lock before opening the database: two processes with one PGlite directory open
 * destroy it. Unlike timestamps and pids, a kernel lock survives a stalled event loop and is free at once
 * after a kill.
 *
 * Whoever removes the file `lock` lets the next process lock a new one. So the control file of the
 * database is locked too: without it nobody can open the database.
 *
 * @throws DatabaseStartError `directory_in_use` when another process has the lock,
 *   `directory_unusable` when the directory cannot be created or written, `lock_lost` when the file was
 *   replaced meanwhile.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const lock = new KernelLock(directory);
  try {
    lock.lockName();
    if (existsSync(lock.controlFile)) lock.lockDatabase();
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

class KernelLock implements DirectoryLock {
  readonly controlFile: string;
  readonly #directory: string;
  #name: LockedFile | undefined;
  #database: LockedFile | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.controlFile = join(databaseFiles(directory), 'global', 'pg_control');
  }

  lockName(): void {
    this.#name = this.#lock(() => {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      return lockFile(join(this.#directory, 'lock'), 'a+');
    });
    this.#requireInPlace();
  }

  lockDatabase(): void {
    // A first start that was killed leaves files that the next one replaces.
    if (this.#database?.isInPlace() !== true) {
      this.#database?.release();
      this.#database = undefined;
      this.#database = this.#lock(() => lockFile(this.controlFile, 'r+'));
    }
    this.#requireInPlace();
  }

  findLoss(): LockLostError | undefined {
    const lost = [this.#name, this.#database].find((file) => file?.isInPlace() === false);
    return lost && new LockLostError(relative(this.#directory, lost.path));
  }

  async release(): Promise<void> {
    for (const file of [this.#database, this.#name]) file?.release();
    this.#database = undefined;
    this.#name = undefined;
  }

  #requireInPlace(): void {
    const loss = this.findLoss();
    if (loss === undefined) return;
    throw new DatabaseStartError('lock_lost', loss.message, { cause: loss });
  }

  #lock(open: () => LockedFile | undefined): LockedFile {
    try {
      const file = open();
      if (file !== undefined) return file;
    } catch (error) {
      throw unusable(this.#directory, error);
    }
    throw new DatabaseStartError(
      'directory_in_use',
      `The data directory ${resolve(this.#directory)} is in use by another Gatehouse process. ` +
        'Stop that process, choose another GATEHOUSE_DATA_DIR, or set DATABASE_URL so that both share one PostgreSQL database.',
    );
  }
}

function unusable(directory: string, error: unknown): DatabaseStartError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return new DatabaseStartError(
    'directory_unusable',
    `The data directory ${resolve(directory)} cannot be used (${reason}). Check its permissions or choose another GATEHOUSE_DATA_DIR.`,
  );
}

/** A file with the kernel lock of this process. */
interface LockedFile {
  readonly path: string;
  /** True while the path leads to the locked file, as far as can be seen. */
  isInPlace(): boolean;
  release(): void;
}

/**
 * Opens and locks a file.
 *
 * @param flags of `open`, for writing
 * @returns undefined when another process has the lock
 * @throws Node's error when the file cannot be opened
 */
function lockFile(path: string, flags: 'a+' | 'r+'): LockedFile | undefined {
  const fd = openSync(path, flags, 0o600);
  if (!tryLock(fd)) {
    closeSync(fd);
    return undefined;
  }
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return {
    path,
    isInPlace() {
      try {
        const found = statSync(path, { bigint: true, throwIfNoEntry: false });
        return found?.dev === dev && found.ino === ino;
      } catch {
        return false;
      }
    },
    release() {
      unlock(fd);
      closeSync(fd);
    },
  };
}
