import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importsWithin, packageOf } from './imports.ts';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const imports = importsWithin(root).filter(
  ({ isByNeed, values }) => !isByNeed && values.length > 0,
);

/** What is loaded with a file: our files, and the packages that they import. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const { target, specifier } of imports.filter((one) => one.file === file)) {
    if (target !== undefined) loadedWith(target, loaded);
    else if (!specifier.startsWith('node:')) loaded.add(packageOf(specifier));
  }
  return loaded;
}

it('a command is there within a second: it loads database, network and server only by need', () => {
  const loaded = loadedWith('commands/run-command-line.ts');
  const packages = [...loaded].filter((name) => !/\.(?:ts|json)$/.test(name)).sort();
  expect(loaded).toContain('commands/keys.ts');
  expect(packages).toEqual(['@gatehouse/contract', 'commander', 'ipaddr.js', 'pino', 'zod']);
});

it('the first file of the program loads neither the server nor the commands', () => {
  expect([...loadedWith('main.ts')].sort()).toEqual([
    '../package.json',
    'main.ts',
    'platform/operator-error.ts',
    'version.ts',
  ]);
});
