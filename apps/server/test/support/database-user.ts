import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A user of the operating system. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user that PostgreSQL's package created: its programs refuse to run as root. `undefined` when the
 * tests run as another user, who can run them.
 */
export function databaseUser(): User | undefined {
  if (userInfo().uid !== 0) return undefined;
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A temporary directory that belongs to the user. */
export function createDirectoryOf(user: User | undefined, prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  return directory;
}
