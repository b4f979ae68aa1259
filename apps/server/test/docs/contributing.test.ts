import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const [, tests = ''] = /\n## The tests\n(.*?)\n## /s.exec(text) ?? [];
const [ofServer = '', ofPackages = ''] = tests.split('\nBelow `packages`.');

/** What is named in the first column. */
function foldersIn(table: string): string[] {
  return [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

function foldersBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

it('the table of the tests has every folder of the server', () => {
  expect(foldersIn(ofServer).sort()).toEqual(foldersBelow('apps/server/test').sort());
});

it('the table of the tests has every folder of the packages, the examples and the pages', () => {
  const packages = foldersBelow('packages').map((name) => `packages/${name}`);
  const found = [...packages, 'apps/console', 'examples', 'docs'].flatMap((folder) =>
    ['test', 'test-d'].map((name) => `${folder}/${name}`),
  );
  expect(foldersIn(ofPackages).sort()).toEqual(
    found.filter((folder) => existsSync(join(root, folder))).sort(),
  );
});
