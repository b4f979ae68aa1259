import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import type { Encrypter } from 'age-encryption';
import { inChunks } from '../platform/in-chunks.ts';
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
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  await writeNewFile(path, { force }, sealed(lines, encrypter, signal));
}

/** Only where it is needed: a tenth of what a server would load to start. */
function loadAge() {
  return import('age-encryption');
}

async function* sealed(
  lines: AsyncIterable<string>,
  encrypter: Encrypter,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const zipped = createGzip();
  const done = pipeline(Readable.from(inChunks(lines, CHUNK)), zipped, { signal });
  // Awaited below, after its output has been read.
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
 * The lines of a sealed file, a piece at a time. The file may be truncated: do not act on any line
 * until the generator has finished.
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
  const { Decrypter } = await loadAge();
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
      'The file is damaged or was cut off. It was not used: try another copy.',
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

/** Bytes in one write. */
const CHUNK = 64 * 1024;

/** The longest line, in characters. PostgreSQL allows values of 1 GB; ours are far shorter. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** The lines of a text in UTF-8. @throws Error when the last one has no end, one is too long, or it is not UTF-8 */
async function* toLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    for (const part of more) {
      yield rest;
      rest = part;
    }
    if (rest.length > LONGEST_LINE) throw new Error('A line is too long.');
  }
  if (rest + decoder.decode() !== '') throw new Error('The last line has no end.');
}
