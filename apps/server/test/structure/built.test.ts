import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesIn, importsWithin, packageOf } from './imports.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const BUILT = /\.c?js$/;
const DECLARATIONS = /\.d\.c?ts$/;

/** What the built files of a folder import that is neither their own nor Node's. */
function importedBy(folder: string, ending: RegExp): string[] {
  const specifiers = importsWithin(join(root, folder), ending)
    .filter(({ target }) => target === undefined)
    .map(({ specifier }) => specifier.replace(/^node:/, ''))
    .filter((specifier) => !builtinModules.includes(specifier))
    .map(packageOf);
  return [...new Set(specifiers)].sort();
}

describe.each([BUILT, DECLARATIONS])('built files that match %s', (ending) => {
  it('of the contract import zod alone', () => {
    const imported = importedBy('packages/contract/dist', ending);
    expect(imported).toEqual(['zod']);
  });

  it('of the route table import nothing', () => {
    const imports = importsWithin(join(root, 'packages/contract/dist'), ending).filter(
      ({ file, specifier }) => /^routes\.|^chunk-/.test(file) && !specifier.startsWith('./chunk-'),
    );
    expect(imports).toEqual([]);
  });

  it('of the mocks import the contract, what it is made with, and msw', () => {
    const made = ['@gatehouse/contract', 'ipaddr.js', 'msw'];
    const imported = importedBy('packages/mocks/dist', ending);
    expect(imported.filter((name) => !made.includes(name))).toEqual([]);
  });

  it('of the SDK import nothing', () => {
    const outside = importedBy('packages/sdk/dist', ending);
    expect(outside.filter((name) => name !== '@gatehouse/sdk')).toEqual([]);
  });
});

/** A version such as 3.53.0-rc.1, also in a range. */
const PRERELEASE = /\d-[a-z]/;

describe('the packages that programs import', () => {
  it.each(['contract', 'sdk', 'mocks', 'testing'])('let %s depend on no prerelease', (name) => {
    const manifest = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), 'utf8'));
    const { dependencies = {}, peerDependencies = {} } = manifest;
    const versions = Object.entries({ ...dependencies, ...peerDependencies }).map(String);
    expect(versions.filter((version) => PRERELEASE.test(version))).toEqual([]);
  });
});

/** The bundler names, above each part of its output, the file that it comes from. */
function partsOf(folder: string): string[] {
  return filesIn(join(root, folder), BUILT).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\/\/ (\S+\.ts)$/gm)].map(([, path]) => path ?? ''),
  );
}

describe('the files in a build', () => {
  it('of the mocks are their own sources', () => {
    const parts = partsOf('packages/mocks/dist');
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.filter((path) => !path.startsWith('src/'))).toEqual([]);
  });

  it('of the server are its own sources and those of the contract', () => {
    const parts = partsOf('apps/server/dist');
    expect(parts.length).toBeGreaterThan(100);
    const own = /^(src|\.\.\/\.\.\/packages\/contract\/src)\//;
    expect(parts.filter((path) => !own.test(path))).toEqual([]);
  });

  it('of the server import only what its package depends on', () => {
    const manifest = readFileSync(join(root, 'apps/server/package.json'), 'utf8');
    const dependencies = Object.keys(JSON.parse(manifest).dependencies);
    const imported = importedBy('apps/server/dist', BUILT);
    expect(imported).toContain('undici');
    expect(imported.filter((name) => !dependencies.includes(name))).toEqual([]);
  });
});
