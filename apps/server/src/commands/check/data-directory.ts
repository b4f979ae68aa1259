import type { Stats } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { foreignOwner } from '../../platform/private-directory.ts';
import { error, type Finding, ok, warning } from '../findings.ts';

const MIB = 1024 * 1024;

/** Bytes that are free. */
const ROOM_WARNING = 1024 * MIB;
const ROOM_ERROR = 100 * MIB;

/** The directory of the embedded database; with PostgreSQL, only of the control socket. */
export async function checkDataDirectory(dataDir: string, isEmbedded: boolean): Promise<Finding[]> {
  const path = resolve(dataDir);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    return [ok('data directory', `There is no ${path} yet: the first start makes it.`)];
  }
  if (!found.isDirectory()) {
    return [error('data directory', `${path} is no directory.`, 'Set GATEHOUSE_DATA_DIR.')];
  }
  const rights = await checkRights(path, found);
  return isEmbedded ? [rights, await checkRoom(path)] : [rights];
}

async function checkRights(path: string, found: Stats): Promise<Finding> {
  const about = 'data directory';
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return error(
      about,
      `${path} cannot be written by this user.`,
      'Run the command as the user of the server, or give the directory to that user.',
    );
  }
  const owner = foreignOwner(path, found);
  if (owner !== undefined) {
    return error(about, owner, 'Give it to the user of the server (chown): it does not start so.');
  }
  if ((found.mode & 0o077) === 0) return ok(about, `${path} is accessible to its user only.`);
  return warning(about, `Other users may enter ${path}.`, `chmod 700 ${path}`);
}

async function checkRoom(path: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const found = `${Math.floor(free / MIB).toLocaleString('en')} MiB are free.`;
  if (free >= ROOM_WARNING) return ok('disk', found);
  const finding = free >= ROOM_ERROR ? warning : error;
  return finding('disk', found, 'Make room: a database that cannot write ends the server.');
}
