import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { tryLock, unlock } from 'fs-native-extensions';

/** A file with the kernel lock of this process. */
export interface LockedFile {
  readonly path: string;
  /** Whether the path still leads to the locked file, as far as can be seen. */
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
export function lockFile(path: string, flags: 'a+' | 'r+'): LockedFile | undefined {
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
