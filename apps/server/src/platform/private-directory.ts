import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';

/** The rights of everyone but the owner. */
export const OTHERS = 0o077;

/**
 * Takes the rights of other users from a directory, if it exists, and from everything in it. The directory
 * comes first, so that nobody else can exchange what is inside.
 *
 * @returns how many entries other users still have rights to, because they belong to another user
 */
export function makePrivate(directory: string): number {
  return existsSync(directory) ? narrow(realpathSync(directory)) : 0;
}

/** Does not follow links. */
function narrow(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return 0;
  const isOpen = (found.mode & OTHERS) !== 0 && !takeRights(path, found.mode);
  const names = found.isDirectory() ? readdirSync(path) : [];
  return names.reduce((sum, name) => sum + narrow(join(path, name)), Number(isOpen));
}

/** A socket cannot be opened: the control socket gets its rights when it is made. */
function takeRights(path: string, mode: number): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      fchmodSync(file, mode & ~OTHERS & 0o777);
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
}
