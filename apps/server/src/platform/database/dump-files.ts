import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;

/** A file or folder of a dump. */
export interface DumpedFile {
  /** From the directory of the database, with a slash in front. */
  readonly path: string;
  /** Absent for a folder. */
  readonly bytes?: Uint8Array;
}

/**
 * Reads a gzipped tarball as PGlite dumps a database: names of at most 100 bytes, only folders and files, each folder
 * before what is in it.
 */
export function readDump(dump: string): DumpedFile[] {
  const tarball = gunzipSync(readFileSync(dump));
  const files: DumpedFile[] = [];
  for (let at = 0; tarball[at] !== 0 && at < tarball.length; ) {
    const field = (from: number, length: number): string =>
      tarball.toString('latin1', at + from, at + from + length).replace(/\0.*/s, '');
    const path = field(0, 100);
    const size = Number.parseInt(field(124, 12), 8);
    const bytes = new Uint8Array(tarball.subarray(at + BLOCK, at + BLOCK + size));
    files.push(field(156, 1) === '5' ? { path } : { path, bytes });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** Writes the files of a dump for their owner alone. PGlite can do it too, which takes it a second more. */
export function unpackDump(dump: string, directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const { path, bytes } of readDump(dump)) {
    if (bytes === undefined) mkdirSync(join(directory, path), { mode: 0o700 });
    else writeFileSync(join(directory, path), bytes, { mode: 0o600 });
  }
}
