import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { packageRoot } from './docs/support/generated-file.ts';

const SRC = join(packageRoot, 'src');

/** Which folders of `src` each folder imports; '.' are the files beside the folders. */
function importsByFolder(): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, file), 'utf8'));
    const folder = dirname(file);
    const imported = folders.get(folder) ?? new Set();
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) imported.add(dirname(join(folder, fileName)));
    }
    imported.delete(folder);
    folders.set(folder, imported);
  }
  return folders;
}

/** What remains after repeatedly removing the folders that import no other. */
function loopsIn(folders: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map(folders);
  const isFree = (imported: ReadonlySet<string>) => ![...imported].some((name) => left.has(name));
  for (let free = true; free; ) {
    const removable = [...left].filter(([, imported]) => isFree(imported));
    for (const [name] of removable) left.delete(name);
    free = removable.length > 0;
  }
  return [...left].map(([name, imported]) => `${name} imports ${[...imported].join(', ')}`);
}

it('no folder of the sources imports, directly or not, a folder that imports it', () => {
  const folders = importsByFolder();
  expect([...folders.keys()]).toEqual(expect.arrayContaining(['.', 'transport', 'types']));
  expect(loopsIn(folders)).toEqual([]);
});
