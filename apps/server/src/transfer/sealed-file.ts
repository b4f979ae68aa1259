import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { inChunks, toLines } from './lines.ts';
import { TransferError } from './transfer-error.ts';
import { writeNewFile } from './write-new-file.ts';

/** Characters. */
const SHORTEST_PASSPHRASE = 12;

/** The base-2 logarithm of scrypt's cost: a second and 256 MB. More than 20 is refused by age. */
const WORK_FACTOR = 18;

export interface SealOptions {
  readonly passphrase: string;
  /** Whether a file of this name is replaced. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly workFactor?: number | undefined;
}

/**
 * Writes lines, compressed and then encrypted with the passphrase, in the age format
 * (age-encryption.org/v1). Each piece is authenticated with its place, and the last one as the last.
 *
 * @throws TransferError `weak_passphrase`, `file_exists`, `file_unusable`
 */
export async function writeSealedFile(
  path: string,
  lines: AsyncIterable<string>,
  { passphrase, force = false, signal, workFactor = WORK_FACTOR }: SealOptions,
): Promise<void> {
  if (passphrase.length < SHORTEST_PASSPHRASE) {
    throw new TransferError(
      'weak_passphrase',
      `A passphrase has at least ${SHORTEST_PASSPHRASE} characters: who has the file can try any number of them.`,
    );
  }
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  await writeNewFile(path, { force }, sealed(lines, encrypter, signal));
}

async function* sealed(
  lines: AsyncIterable<string>,
  encrypter: Encrypter,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const zipped = createGzip();
  const done = pipeline(Readable.from(inChunks(lines)), zipped, { signal });
  // It is awaited below, when what it has written has been taken.
  done.catch(() => undefined);
  try {
    yield* fromWeb(await encrypter.encrypt(toWeb(zipped)));
  } catch (error) {
    await done;
    throw error;
  }
  await done;
}

/**
 * The lines of a sealed file, a piece at a time. What is read before the end may be of a file that was cut
 * off: it must not count until the end has come.
 *
 * @throws TransferError `file_unusable`, `not_ours`, `wrong_passphrase`, `damaged`
 */
export async function* readSealedFile(
  path: string,
  passphrase: string,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const file = createReadStream(path, { signal });
  try {
    const opened = fromWeb(await open(file, passphrase));
    const lines = opened.pipe(createGunzip());
    opened.on('error', (error) => lines.destroy(error));
    yield* withoutDamage(toLines(lines));
  } finally {
    file.destroy();
  }
}

async function open(file: Readable, passphrase: string): Promise<ReadableStream<Uint8Array>> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(toWeb(file));
  } catch (cause) {
    if (isFileError(cause)) {
      throw new TransferError('file_unusable', `The file cannot be read (${cause.code}).`, {
        cause,
      });
    }
    // The two messages of age-encryption 0.3 for a header that is whole.
    const isWhole = cause instanceof Error && /no identity matched|header HMAC/.test(cause.message);
    throw isWhole
      ? new TransferError('wrong_passphrase', 'The passphrase does not open the file.', { cause })
      : new TransferError(
          'not_ours',
          'The file was not written by backup or export, or it is damaged.',
          {
            cause,
          },
        );
  }
}

async function* withoutDamage(lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (cause) {
    throw new TransferError(
      'damaged',
      'The file is damaged or was cut off. Nothing of it was taken: use another copy.',
      { cause },
    );
  }
}

function isFileError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  // Node's own type of the same class.
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}

function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as NodeStream<Uint8Array>);
}
