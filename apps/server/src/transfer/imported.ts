import { readFile } from 'node:fs/promises';
import { keyFilePath } from '../vault/key-file.ts';
import { countRows, type Header } from './header.ts';

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

/** The result of an import. */
export interface Imported {
  readonly rows: number;
  /** When the file was written, in ISO 8601. */
  readonly writtenAt: string;
  /** The version of Gatehouse that wrote it. */
  readonly writtenBy: string;
  /** The ids of the keys in the file. */
  readonly keysInside: readonly string[];
  /** The ids of keys that the rows need and the file lacks: the server must be started with them. */
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

const LINE = /^([A-Za-z0-9._-]{1,64}):[A-Za-z0-9+/]{43}=$/gm;

/** The key file of a data directory, unchanged; null if it is missing. */
export async function readKeyFile(dataDir: string): Promise<string | null> {
  return readFile(keyFilePath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** The ids of the keys in the text of a key file. */
export function keyIdsIn(text: string | null): string[] {
  return [...(text ?? '').matchAll(LINE)].map(([, id = '']) => id);
}

/** The keys of a key file as a line of an environment file. */
export function asVariable(text: string): string {
  const keys = [...text.matchAll(LINE)].map(([line]) => line);
  return `GATEHOUSE_ENCRYPTION_KEYS=${keys.join(',')}\n`;
}
