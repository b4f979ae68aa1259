import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from './run-command.ts';

/** The content of a tarball. */
export interface TarballContent {
  readonly manifest: Record<string, unknown>;
  /** Paths relative to the package, sorted. */
  readonly files: readonly string[];
  /** The text of a file. */
  read(path: string): Promise<string>;
}

/** Unpacks a tarball into a temporary folder for as long as `use` runs. */
export async function withTarball<T>(
  tarball: string,
  use: (content: TarballContent) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tarball-'));
  try {
    await mustRun('tar', ['-xzf', tarball, '-C', folder], { cwd: folder });
    const root = join(folder, 'package');
    const read = (path: string) => readFile(join(root, path), 'utf8');
    const manifest = JSON.parse(await read('package.json'));
    return await use({ manifest, files: await filesIn(root), read });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The files below a folder, relative to it and sorted. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
