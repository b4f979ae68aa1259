import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { PGlite } from '@electric-sql/pglite';
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs';

const BLOCK = 512;
/** PostgreSQL's own templates, a third of the bytes: a PGlite makes no further database from them. */
const TEMPLATES = /^\/base\/[14](?:\/|$)/;
const DATA = '/pglite/data';

interface Entry {
  readonly path: string;
  /** Absent for a folder. */
  readonly bytes?: Uint8Array;
}

type Options = Parameters<EmscriptenBuiltinFilesystem['init']>[1];
type Module = Parameters<NonNullable<Options['preRun']>[number]>[0];

const dumps = new Map<string, readonly Entry[]>();

/**
 * The files of a dump, in memory. PGlite can load a dump too, but unpacks it for each database: two thirds of
 * the time in which one opens, and most test files open several.
 */
export class MemoryFiles extends EmscriptenBuiltinFilesystem {
  readonly #entries: readonly Entry[];

  /** @param dump the path of a gzipped tarball, which is read once */
  constructor(dump: string) {
    super();
    const entries = dumps.get(dump) ?? entriesOf(gunzipSync(readFileSync(dump)));
    dumps.set(dump, entries);
    this.#entries = entries;
  }

  override async init(database: PGlite, options: Options) {
    this.pg = database;
    const preRun = [...(options.preRun ?? []), (module: Module) => this.#write(module)];
    return { emscriptenOpts: { ...options, preRun } };
  }

  #write({ FS }: Module): void {
    FS.mkdirTree(DATA);
    for (const { path, bytes } of this.#entries) {
      if (bytes === undefined) FS.mkdir(DATA + path);
      // Not copied, the bytes that one database writes would be in the next.
      else FS.writeFile(DATA + path, bytes.slice(), { canOwn: true });
    }
  }
}

/** Reads a tarball as PGlite writes one: names of at most 100 bytes, only folders and files. */
function entriesOf(tarball: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; tarball[at] !== 0 && at < tarball.length; ) {
    const field = (from: number, length: number): string =>
      tarball.toString('latin1', at + from, at + from + length).replace(/\0.*/s, '');
    const path = field(0, 100);
    const size = Number.parseInt(field(124, 12), 8);
    const bytes = new Uint8Array(tarball.subarray(at + BLOCK, at + BLOCK + size));
    if (!TEMPLATES.test(path)) entries.push(field(156, 1) === '5' ? { path } : { path, bytes });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}
