import { countRows, type Header } from './header.ts';
import { keyIdsIn } from './key-file-text.ts';

/** How far a transfer is. */
interface Progress {
  readonly rows: number;
  readonly ofRows: number;
}

export type OnProgress = (progress: Progress) => void;

export interface ImportOptions {
  readonly path: string;
  readonly passphrase: string;
  /** The command that imports, by its name. */
  readonly command: string;
  /** Ends the import before anything of the file has been taken. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** What was taken from a file. */
export interface Imported {
  readonly rows: number;
  /** When the file was written, in ISO 8601. */
  readonly writtenAt: string;
  /** The version of Gatehouse that wrote it. */
  readonly writtenBy: string;
  /** The ids of the keys in the file. */
  readonly keysInside: readonly string[];
  /** Those that the rows need and that are not in the file: the server must be started with them. */
  readonly keysElsewhere: readonly string[];
}

export function importedOf(header: Header): Imported {
  const keysInside = keyIdsIn(header.keyFile);
  return {
    rows: countRows(header),
    writtenAt: header.writtenAt,
    writtenBy: header.writtenBy,
    keysInside,
    keysElsewhere: header.keyIds.filter((keyId) => !keysInside.includes(keyId)),
  };
}
