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
import { OperatorError } from './operator-error.ts';

/** The rights of everyone but the owner. */
export const OTHERS = 0o077;

const ROOT = 0;

/**
 * Takes the rights of other users from a directory, if it exists, and from everything in it. The directory
 * comes first, so that nobody else can exchange what is inside.
 *
 * @returns how many entries other users still have rights to, because they belong to another user
 * @throws OperatorError if it belongs to another user
 */
export function makePrivate(directory: string): number {
  if (!existsSync(directory)) return 0;
  const path = realpathSync(directory);
  const owner = foreignOwner(path, lstatSync(path));
  if (owner !== undefined) {
    throw new OperatorError(
      `The data directory ${owner} Give it to the user of the server (chown), or run the server as its user.`,
    );
  }
  return narrow(path);
}

/** Says that a directory belongs to another user; undefined if it does not. */
export function foreignOwner(path: string, { uid }: { readonly uid: number }): string | undefined {
  if (!isForeign(uid)) return undefined;
  return `${path} belongs to user ${uid}, who could read and exchange what is in it.`;
}

/** Root may do everything anyway, also with what is the server's. */
function isForeign(uid: number): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== ROOT;
}

/** Does not follow links. */
function narrow(path: string): number {
  const found = orUndefined(() => lstatSync(path));
  if (found === undefined || found.isSymbolicLink()) return 0;
  const isOpen = (found.mode & OTHERS) !== 0 && !takeRights(path, found.mode);
  const names = (found.isDirectory() && orUndefined(() => readdirSync(path))) || [];
  const entries = Number(isOpen || isForeign(found.uid));
  return names.reduce((sum, name) => sum + narrow(join(path, name)), entries);
}

/** What is gone, or in a folder that this user may not enter such as root's `lost+found`, is nothing of ours. */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
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
