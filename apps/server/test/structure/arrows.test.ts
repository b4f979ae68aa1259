import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesIn, type Import, importsWithin, packageOf } from './imports.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface Allowed {
  /** Other folders of the server. */
  readonly folders: readonly string[];
  /** Packages, subpaths included where one is named. */
  readonly packages: readonly string[];
}

/** What each folder of the server may import (docs/architecture.md); '' are the files beside the folders. */
const allowed: Record<string, Allowed> = {
  platform: {
    folders: ['generated'],
    packages: [
      '@electric-sql/pglite',
      '@gatehouse/contract',
      '@prisma/adapter-pg',
      '@prisma/driver-adapter-utils',
      '@prisma/schema-engine-wasm',
      'fs-native-extensions',
      'ipaddr.js',
      'lru-cache',
      'pg',
      'pglite-prisma-adapter',
      'pino',
      'prom-client',
      'zod',
    ],
  },
  egress: { folders: ['platform'], packages: ['ipaddr.js', 'undici'] },
  credentials: {
    folders: ['platform', 'generated', 'egress'],
    packages: ['@gatehouse/contract', 'ajv', 're2js'],
  },
  http: {
    folders: ['platform', 'generated', 'credentials'],
    packages: [
      '@gatehouse/contract',
      '@ts-rest/express',
      'express',
      'pino',
      'prom-client',
      'proxy-addr',
      'rate-limiter-flexible',
      'zod',
    ],
  },
  resources: {
    folders: ['platform', 'generated', 'egress', 'credentials', 'http'],
    packages: ['@gatehouse/contract', '@ts-rest/express'],
  },
  gateway: {
    folders: ['platform', 'generated', 'egress', 'credentials', 'http', 'resources'],
    packages: ['@gatehouse/contract', 'pino', 'prom-client', 'undici'],
  },
  '': {
    folders: ['platform', 'egress', 'credentials', 'http', 'resources', 'gateway'],
    packages: ['@gatehouse/contract', '@ts-rest/express', 'express', 'pino'],
  },
};

/** All the gateway may know of the resources. */
const GATEWAY_PORT = 'resources/sessions/port.ts';

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

const isNode = (specifier: string) => specifier.startsWith('node:');

/** How an import is shown when it should not be there. */
const shown = ({ file, specifier }: Import) => `${file} imports ${specifier}`;

describe("the server's folders", () => {
  const imports = importsWithin(join(root, 'apps/server/src'));

  it('import only along the arrows', () => {
    const against = imports.filter(({ file, target }) => {
      if (target === undefined) return false;
      const [from, to] = [folderOf(file), folderOf(target)];
      return from !== to && !allowed[from]?.folders.includes(to);
    });
    expect(against.map(shown)).toEqual(['version.ts imports ../package.json']);
  });

  it('import only the packages named for them', () => {
    const against = imports.filter(
      ({ file, specifier, target }) =>
        target === undefined &&
        !isNode(specifier) &&
        !allowed[folderOf(file)]?.packages.includes(packageOf(specifier)),
    );
    expect(against.map(shown)).toEqual([]);
  });

  it('let the gateway know of the resources the sessions port alone', () => {
    const known = imports
      .filter(
        ({ file, target }) =>
          folderOf(file) === 'gateway' && folderOf(target ?? '') === 'resources',
      )
      .map(({ target }) => target);
    expect([...new Set(known)]).toEqual([GATEWAY_PORT]);
  });

  it('are all named in the table above', () => {
    const folders = new Set(imports.map(({ file }) => folderOf(file)));
    expect([...folders].sort()).toEqual(Object.keys(allowed).sort());
  });

  it('keep ts-rest to the binding and the routers', () => {
    const users = imports
      .filter(({ specifier }) => packageOf(specifier).startsWith('@ts-rest/'))
      .map(({ file }) => file)
      .filter((file) => !/^resources\/[\w-]+\/[\w-]*router\.ts$/.test(file));
    expect([...new Set(users)].sort()).toEqual([
      'app.ts',
      'http/express-adapter.ts',
      'http/validation-problem.ts',
    ]);
  });
});

/** What the sources of each package import from outside of it, Node's own modules aside. */
const packages: Record<string, readonly string[]> = {
  'packages/contract': ['@ts-rest/core', 'zod'],
  // Its own name: the second entry takes types of the first, which it must not contain.
  'packages/sdk': ['@gatehouse/contract/routes', '@gatehouse/sdk'],
  'packages/mocks': [
    '@gatehouse/contract',
    '@ts-rest/core',
    'ipaddr.js',
    'msw',
    'msw/browser',
    'msw/node',
  ],
  'packages/testing': [
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/node',
    '@modelcontextprotocol/server',
    'playwright-core',
    'zod',
  ],
};

describe('the packages', () => {
  /** Those of the examples in its documentation are a user's, not the SDK's. */
  const sourcesOf = (folder: string) =>
    importsWithin(join(root, folder, 'src')).filter(({ file }) => !file.endsWith('.examples.ts'));

  it.each(Object.entries(packages))('let %s import what is named for it alone', (folder, names) => {
    const outside = sourcesOf(folder)
      .filter(({ specifier, target }) => target === undefined && !isNode(specifier))
      .map(({ specifier }) => specifier);
    expect([...new Set(outside)].sort()).toEqual(names);
  });

  it.each(Object.keys(packages).filter((folder) => folder !== 'packages/testing'))(
    'let %s run where there is no Node',
    (folder) => {
      expect(
        sourcesOf(folder)
          .filter(({ specifier }) => isNode(specifier))
          .map(shown),
      ).toEqual([]);
    },
  );

  it('let the SDK take the route table as its only value', () => {
    const values = sourcesOf('packages/sdk').filter(
      ({ target, values }) => target === undefined && values.length > 0,
    );
    expect([...new Set(values.map(({ specifier }) => specifier))]).toEqual([
      '@gatehouse/contract/routes',
    ]);
  });

  it('let the route table import nothing', () => {
    const imports = sourcesOf('packages/contract').filter(({ file }) => file === 'routes.ts');
    expect(imports).toEqual([]);
  });

  it.each(Object.keys(packages))('let %s reach no file outside itself', (folder) => {
    const outside = importsWithin(join(root, folder)).filter(
      ({ file, target }) => /^(src|test)\//.test(file) && target?.startsWith('..'),
    );
    expect(outside.map(shown)).toEqual([]);
  });

  it.each([...Object.keys(packages), 'examples'])('let %s import no app', (folder) => {
    const apps = importsWithin(join(root, folder), /\.m?[jt]s$/).filter(
      ({ specifier, target = '' }) =>
        packageOf(specifier) === '@gatehouse/server' || target.includes('apps/server'),
    );
    expect(apps.map(shown)).toEqual([]);
  });
});

describe('source files', () => {
  it('are at most 400 lines long', () => {
    const long = [...Object.keys(packages), 'apps/server']
      .flatMap((folder) => filesIn(join(root, folder, 'src')))
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 401)
      .map((file) => relative(root, file));
    expect(long).toEqual([]);
  });
});
