import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncryptionKey } from './keyring.ts';

const FILE_NAME = 'encryption-key';
const LINE = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

/** Where the keys of the embedded database are. */
export function keyFilePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * The encryption keys of the embedded database: lines `id:base64` in `<dataDir>/encryption-key`, mode 0600,
 * the sealing key first. The first start creates it with one key of a random id, so that a key that
 * replaces a lost one cannot be mistaken for it.
 *
 * @throws Error when the file exists but does not contain keys.
 */
export async function loadOrCreateKeyFile(dataDir: string): Promise<readonly EncryptionKey[]> {
  const path = keyFilePath(dataDir);
  return (await load(path)) ?? (await create(path)) ?? (await loadExisting(path));
}

/** Replaces the keys. After a crash the file holds all of the old ones or all of the new ones. */
export async function writeKeyFile(dataDir: string, keys: readonly EncryptionKey[]): Promise<void> {
  const path = keyFilePath(dataDir);
  const draft = await writeDraft(path, keys);
  await rename(draft, path);
  const directory = await open(dataDir);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A key with a new id, which begins with the day. */
export function createKey(prefix = new Date().toISOString().slice(0, 10)): EncryptionKey {
  return { id: `${prefix}-${randomBytes(4).toString('hex')}`, key: randomBytes(32) };
}

/** The form in the file and in GATEHOUSE_ENCRYPTION_KEYS. */
export function textOfKey({ id, key }: EncryptionKey): string {
  return `${id}:${key.toString('base64')}`;
}

async function load(path: string): Promise<readonly EncryptionKey[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const keys = text.replace(/\n$/, '').split('\n').map(parseKey);
  if (!keys.every((key) => key !== undefined)) {
    throw new Error(
      `${path} does not contain an encryption key. Restore the original file of this data directory.`,
    );
  }
  // A restored backup may have a less strict mode.
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
  return keys;
}

function parseKey(line: string): EncryptionKey | undefined {
  const [, id, base64] = LINE.exec(line) ?? [];
  if (id === undefined || base64 === undefined) return undefined;
  return { id, key: Buffer.from(base64, 'base64') };
}

/** `undefined` when another process created the file first. `link` makes it appear complete or not at all. */
async function create(path: string): Promise<readonly EncryptionKey[] | undefined> {
  const keys = [createKey('local')];
  const draft = await writeDraft(path, keys);
  try {
    await link(draft, path);
    return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await unlink(draft);
  }
}

/** @returns the path of a file beside `path` that is complete and on the disk */
async function writeDraft(path: string, keys: readonly EncryptionKey[]): Promise<string> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(keys.map((key) => `${textOfKey(key)}\n`).join(''));
    await file.sync();
    return draft;
  } catch (error) {
    await unlink(draft);
    throw error;
  } finally {
    await file.close();
  }
}

async function loadExisting(path: string): Promise<readonly EncryptionKey[]> {
  const keys = await load(path);
  if (keys === undefined) {
    throw new Error(`${path} was deleted while the server started. Start it again.`);
  }
  return keys;
}
