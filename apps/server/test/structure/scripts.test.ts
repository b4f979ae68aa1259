import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../', import.meta.url);
const STATIC = /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** The scripts that install what is missing: a new clone may begin with any of them. */
const scripts = ['scripts/', 'examples/', 'examples/clients/']
  .flatMap((folder) => readdirSync(new URL(folder, root)).map((name) => folder + name))
  .filter((path) => path.endsWith('.mjs') && textOf(path).includes('/install.mjs'));

function textOf(path: string | URL): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** The packages that are imported before the first line of a script runs, by it or by its files. */
function packagesOf(file: URL, seen = new Set<string>()): string[] {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  return [...textOf(file).matchAll(STATIC)].flatMap(([, from, alone]) => {
    const specifier = from ?? alone ?? '';
    if (specifier.startsWith('node:')) return [];
    return specifier.startsWith('.') ? packagesOf(new URL(specifier, file), seen) : [specifier];
  });
}

describe('a script that installs the dependencies', () => {
  it.each(scripts)('starts without them: %s', (path) => {
    expect(packagesOf(new URL(path, root))).toEqual([]);
  });
});
