import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The gateway URL in the files of `programs`, which a user replaces. */
const EXAMPLE_URL = 'https://gatehouse.example.com/mcp/0199…';

/** A folder of a client's own, which is its home too. */
export interface Folder {
  readonly path: string;
  remove(): Promise<void>;
}

/** @param source what is copied into it, with the URL in place; undefined for nothing */
export async function makeFolder(source: string | undefined, url: string): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-client-'));
  if (source !== undefined) {
    await cp(source, path, { recursive: true });
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((found) => found.isFile())) {
      const file = join(entry.parentPath, entry.name);
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replace(EXAMPLE_URL, url));
    }
  }
  await mkdir(join(path, 'home'));
  // What a program has started may still write there.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return { path, remove };
}
