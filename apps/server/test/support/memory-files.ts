import type { PGlite } from '@electric-sql/pglite';
import { EmscriptenBuiltinFilesystem } from '@electric-sql/pglite/basefs';
import { type DumpedFile, readDump } from '../../src/platform/database/dump-files.ts';

/** PostgreSQL's own templates, a third of the bytes: a PGlite makes no further database from them. */
const TEMPLATES = /^\/base\/[14](?:\/|$)/;
const DATA = '/pglite/data';

type Options = Parameters<EmscriptenBuiltinFilesystem['init']>[1];
type Module = Parameters<NonNullable<Options['preRun']>[number]>[0];

const dumps = new Map<string, readonly DumpedFile[]>();

/**
 * The files of a dump, in memory. PGlite can load a dump too, but unpacks it for each database: two thirds of
 * the time in which one opens, and most test files open several.
 */
export class MemoryFiles extends EmscriptenBuiltinFilesystem {
  readonly #entries: readonly DumpedFile[];

  /** @param dump the path of a gzipped tarball, which is read once */
  constructor(dump: string) {
    super();
    const entries = dumps.get(dump) ?? readDump(dump).filter(({ path }) => !TEMPLATES.test(path));
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
