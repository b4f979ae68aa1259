import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncryptionKey } from './keyring.ts';

const FILE_NAME = 'encryption-key';
/** Where the key file of a data directory is. */
export function keyFilePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

const LINE = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9+/]{43}=)\n?$/;

/**
 * The encryption key of the embedded database: one line `id:base64` in `<dataDir>/encryption-key`,
 * mode 0600. The first start creates it with a random id, so that a key that replaces a lost one
 * cannot be mistaken for it.
 *
 * @throws Error when the file exists but does not contain a key.
 */
export async function loadOrCreateKeyFile(dataDir: string): Promise<EncryptionKey> {
  const path = keyFilePath(dataDir);
  return (await load(path)) ?? (await create(path)) ?? (await loadExisting(path));
}

async function load(path: string): Promise<EncryptionKey | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [, id, base64] = LINE.exec(text) ?? [];
  if (id === undefined || base64 === undefined) {
    throw new Error(
      `${path} does not contain an encryption key. Restore the original file of this data directory.`,
    );
  }
  // A restored backup may have a less strict mode.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
  return { id, key: Buffer.from(base64, 'base64') };
}

/** `undefined` when another process created the file first. `link` makes it appear complete or not at all. */
async function create(path: string): Promise<EncryptionKey | undefined> {
  const created = { id: `local-${randomBytes(4).toString('hex')}`, key: randomBytes(32) };
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${created.id}:${created.key.toString('base64')}\n`);
    await file.sync();
    await link(draft, path);
    return created;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await file.close();
    await unlink(draft);
  }
}

async function loadExisting(path: string): Promise<EncryptionKey> {
  const key = await load(path);
  if (key === undefined) {
    throw new Error(`${path} was deleted while the server started. Start it again.`);
  }
  return key;
}
