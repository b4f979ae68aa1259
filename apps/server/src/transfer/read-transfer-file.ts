import { anyHeaderSchema, FORMAT_VERSION, type Header, headerSchema } from './header.ts';
import { isKnown } from './migration-state.ts';
import { readSealedFile } from './sealed-file.ts';
import { TransferError } from './transfer-error.ts';

/** An opened file, after its first line was read. */
export interface TransferFile {
  readonly header: Header;
  /** The rows, in the order of the header's tables. */
  readonly rows: AsyncIterator<string>;
  /** Call this if the rows are not read to the end. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly path: string;
  readonly passphrase: string;
  readonly signal?: AbortSignal | undefined;
}

/** @throws TransferError `file_unusable`, `not_ours`, `wrong_passphrase`, `damaged`, `newer` */
export async function readTransferFile({
  path,
  passphrase,
  signal,
}: OpenOptions): Promise<TransferFile> {
  const lines = readSealedFile(path, passphrase, signal);
  const close = async (): Promise<void> => {
    await lines.return(undefined);
  };
  try {
    const first = await lines.next();
    return { header: headerIn(first.done ? '' : first.value), rows: lines, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function headerIn(line: string): Header {
  const value = parsed(line);
  const any = anyHeaderSchema.safeParse(value);
  if (!any.success) {
    throw new TransferError('not_ours', 'The file was not written by backup or export.');
  }
  const header = headerSchema.safeParse(value);
  const isOurs = header.success && isKnown(header.data.migrations);
  if (isOurs) return header.data;
  throw any.data.version <= FORMAT_VERSION && !header.success
    ? new TransferError('damaged', 'The first line of the file is not what it should be.')
    : new TransferError(
        'newer',
        `The file was written by a newer version of Gatehouse (${any.data.writtenBy}). Use that version or a later one.`,
      );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
