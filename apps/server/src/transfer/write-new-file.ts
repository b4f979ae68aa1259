import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TransferError } from './transfer-error.ts';

/**
 * Writes a file, mode 0600, that gets its name when all of it is on the disk.
 *
 * @throws TransferError `file_exists` unless `force`, `file_unusable`
 */
export async function writeNewFile(
  path: string,
  { force }: { readonly force: boolean },
  content: string | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (!force && existsSync(path)) throw exists(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await publish(draft, path, force);
    await syncDirectory(dirname(path));
  } catch (cause) {
    if (!isFileError(cause)) throw cause;
    throw new TransferError('file_unusable', `${path} cannot be written (${cause.code}).`, {
      cause,
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** `link` never replaces a file. On a file system without links, the earlier check has to suffice. */
async function publish(draft: string, path: string, force: boolean): Promise<void> {
  if (force) return rename(draft, path);
  try {
    await link(draft, path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (error.code === 'EEXIST' || existsSync(path)) throw exists(path);
    await rename(draft, path);
  }
}

async function syncDirectory(directory: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(directory, 'r');
    await handle.sync();
  } catch {
    // Not every system lets a directory be opened; the file itself is on the disk.
  } finally {
    await handle?.close();
  }
}

function exists(path: string): TransferError {
  return new TransferError(
    'file_exists',
    `${path} exists. Choose another name, or replace it with --force.`,
  );
}

function isFileError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
