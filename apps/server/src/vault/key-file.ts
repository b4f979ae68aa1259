import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncryptionKey } from './keyring.ts';

const FILE_NAME = 'encryption-key';
const LINE = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9+/]{43}=)\n?$/;

/**
 * The encryption key of the embedded store: one line `id:base64` in `<dataDir>/encryption-key`, mode
 * 0600, made at first start under an id of its own, so that rows of a lost key never pass for its own.
 *
 * @throws Error when the file is there but holds no key.
 */
export async function loadOrCreateKeyFile(dataDir: string): Promise<EncryptionKey> {
  const path = join(dataDir, FILE_NAME);
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
      `${path} holds no encryption key. Put back the file this data directory was made with.`,
    );
  }
  // Restoring a backup may have widened the mode.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
  return { id, key: Buffer.from(base64, 'base64') };
}

/** `undefined` when another process made the file first. The link makes it appear whole or not at all. */
async function create(path: string): Promise<EncryptionKey | undefined> {
  const made = { id: `local-${randomBytes(4).toString('hex')}`, key: randomBytes(32) };
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${made.id}:${made.key.toString('base64')}\n`);
    await file.sync();
    await link(draft, path);
    return made;
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
  if (key === undefined) throw new Error(`${path} disappeared while it was being read.`);
  return key;
}
