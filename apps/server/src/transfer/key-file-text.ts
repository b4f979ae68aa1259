import { readFile } from 'node:fs/promises';
import { keyFilePath } from '../vault/key-file.ts';

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
