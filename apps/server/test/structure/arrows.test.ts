import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesIn, type Import, importsWithin, packageOf } from './imports.ts';
import { findLoops } from './loops.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface Allowed {
  /** Other folders of the server. */
  readonly folders: readonly string[];
  /** Packages, subpaths included where one is named. */
  readonly packages: readonly string[];
}

/**
 * What each folder of the server may import (docs/architecture.md), the lowest floor first; '' are the
 * files beside the folders.
 */
const allowed: Record<string, Allowed> = {
  platform: {
    folders: ['generated'],
    packages: [
      '@electric-sql/pglite',
      '@gatehouse/contract',
      '@prisma/adapter-pg',
      '@prisma/driver-adapter-utils',
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
  telemetry: {
    folders: ['platform'],
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-metrics-otlp-proto',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace-base',
      'pino',
      'prom-client',
    ],
  },
  vault: { folders: ['platform', 'generated'], packages: [] },
  transfer: {
    folders: ['platform', 'vault'],
    packages: ['@gatehouse/contract', 'age-encryption', 'zod'],
  },
  egress: {
    folders: ['platform'],
    packages: ['@gatehouse/contract', 'ipaddr.js', 'lru-cache', 'undici'],
  },
  mcp: { folders: ['egress'], packages: ['@gatehouse/contract'] },
  identity: { folders: ['platform', 'generated', 'vault'], packages: ['@gatehouse/contract'] },
  sessions: {
    folders: ['platform', 'generated', 'vault', 'mcp'],
    packages: ['@gatehouse/contract'],
  },
  catalogue: {
    folders: ['platform', 'mcp'],
    packages: ['@gatehouse/contract', 'canonicalize', 'lru-cache'],
  },
  eras: { folders: ['platform', 'egress', 'mcp'], packages: ['lru-cache'] },
  policy: { folders: ['generated'], packages: ['@gatehouse/contract'] },
  audit: {
    folders: ['platform', 'generated', 'vault'],
    packages: ['@gatehouse/contract', 'pino', 'zod'],
  },
  limits: { folders: ['platform', 'generated'], packages: ['@gatehouse/contract', 'lru-cache'] },
  usage: { folders: ['platform', 'generated'], packages: ['@gatehouse/contract'] },
  credentials: {
    folders: [
      ...['platform', 'generated', 'vault', 'egress', 'mcp'],
      ...['sessions', 'identity', 'policy', 'eras'],
    ],
    packages: ['@gatehouse/contract', 'ajv', 'oauth4webapi', 'pino', 're2js'],
  },
  http: {
    folders: ['platform', 'generated', 'vault', 'identity'],
    packages: [
      '@gatehouse/contract',
      '@ts-rest/express',
      'express',
      'ipaddr.js',
      'lru-cache',
      'pino',
      'prom-client',
      'proxy-addr',
      'rate-limiter-flexible',
      'raw-body',
      'zod',
    ],
  },
  'connect-forms': {
    folders: ['platform', 'generated', 'vault', 'identity', 'credentials', 'http'],
    packages: ['@gatehouse/contract', 'express'],
  },
  resources: {
    folders: [
      ...['platform', 'generated', 'vault', 'egress'],
      ...['identity', 'sessions', 'credentials', 'catalogue', 'policy', 'audit', 'usage', 'http'],
    ],
    packages: ['@gatehouse/contract', '@ts-rest/express', 'fast-json-patch', 'lru-cache'],
  },
  gateway: {
    folders: [
      ...['platform', 'generated', 'egress', 'mcp'],
      ...[
        'identity',
        'sessions',
        'credentials',
        'catalogue',
        'eras',
        'policy',
        'limits',
        'audit',
        'usage',
        'http',
      ],
    ],
    packages: ['lru-cache', '@gatehouse/contract', 'pino', 'prom-client', 'undici'],
  },
  'authorization-server': {
    folders: [
      ...['platform', 'generated', 'vault', 'egress'],
      ...['identity', 'sessions', 'credentials', 'http', 'connect-forms'],
    ],
    packages: ['@gatehouse/contract', 'express', 'lru-cache', 'oidc-provider', 'pino', 'zod'],
  },
  'sign-in': {
    folders: ['platform', 'generated', 'vault', 'egress', 'identity', 'sessions', 'http'],
    packages: ['@gatehouse/contract', 'express', 'lru-cache', 'openid-client', 'pino'],
  },
  connect: {
    folders: [
      ...['platform', 'generated', 'vault', 'identity'],
      ...['credentials', 'http', 'connect-forms'],
    ],
    packages: ['@gatehouse/contract', 'express', 'pino'],
  },
  console: {
    folders: ['platform', 'generated', 'identity', 'policy', 'http'],
    packages: ['@gatehouse/contract', 'express', 'sirv', 'zod'],
  },
  control: {
    folders: ['platform', 'vault', 'identity', 'audit'],
    packages: ['@gatehouse/contract', 'pino', 'zod'],
  },
  commands: {
    folders: ['platform', 'vault', 'transfer', 'egress', 'identity', 'audit', 'control'],
    packages: ['@gatehouse/contract', 'commander', 'zod'],
  },
  '': {
    folders: [
      ...['platform', 'vault', 'egress', 'identity', 'sessions', 'credentials'],
      ...['http', 'connect-forms', 'resources', 'gateway', 'authorization-server', 'sign-in'],
      ...[
        'connect',
        'console',
        'control',
        'commands',
        'catalogue',
        'eras',
        'limits',
        'audit',
        'usage',
      ],
      ...['telemetry', 'generated'],
    ],
    packages: ['@gatehouse/contract', '@ts-rest/express', 'express', 'pino'],
  },
};

/** The first folder of a path; '' for a file beside the folders. */
const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

const isNode = (specifier: string) => specifier.startsWith('node:');

/** `resources/<name>/router.ts` and its siblings such as `attachment-router.ts`. */
const isRouter = (file: string) => /^resources\/(?:[\w-]+\/)?[\w-]*router\.ts$/.test(file);

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

  it('import no folder of a higher floor', () => {
    const floors = Object.keys(allowed);
    const upward = Object.entries(allowed).flatMap(([folder, { folders }], floor) =>
      folders.filter((to) => floors.indexOf(to) >= floor).map((to) => `${folder} -> ${to}`),
    );
    expect(upward).toEqual([]);
  });

  it('are not drawn below what they import in the picture of the floors', () => {
    const picture = readFileSync(join(root, 'docs/pictures/floors.svg'), 'utf8');
    const drawn = [...picture.matchAll(/class="name" x="[\d.]+" y="(\d+)"[^>]*>([\w-]+)</g)];
    const heights = new Map(drawn.map(([, y, name]) => [name ?? '', Number(y)]));
    const notDrawn = Object.keys(allowed).filter((folder) => !heights.has(folder));
    expect(notDrawn.sort()).toEqual(['', 'commands', 'control']);
    const upward = [...heights].flatMap(([folder, y]) =>
      (allowed[folder]?.folders ?? ['no such folder'])
        .filter((to) => to !== 'generated' && y > (heights.get(to) ?? 0))
        .map((to) => `${folder} -> ${to}`),
    );
    expect(upward).toEqual([]);
  });

  it('form no loop, nor do the files and folders inside them', () => {
    const edges = imports.flatMap(({ file, target }) =>
      target === undefined ? [] : [[file, target] as const],
    );
    expect(findLoops(edges)).toEqual([]);
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

  it('are all named in the table above', () => {
    const folders = new Set(imports.map(({ file }) => folderOf(file)));
    expect(Object.keys(allowed).filter((folder) => !folders.has(folder))).toEqual([]);
    expect([...folders].filter((folder) => !(folder in allowed))).toEqual([]);
  });

  it("let only the routers of resources import http/ and the routers' dependencies", () => {
    const shared = 'resources/router-deps.ts';
    const others = imports.filter(
      ({ file, target = '' }) =>
        folderOf(file) === 'resources' &&
        (folderOf(target) === 'http' || target === shared) &&
        !isRouter(file) &&
        file !== shared,
    );
    expect(others.map(shown)).toEqual([]);
  });

  it('keep ts-rest to the binding and the routers', () => {
    const users = imports
      .filter(({ specifier }) => packageOf(specifier).startsWith('@ts-rest/'))
      .map(({ file }) => file)
      .filter((file) => !isRouter(file));
    expect([...new Set(users)].sort()).toEqual(['app.ts', 'http/express-adapter.ts']);
  });
});

/** What the sources of each package import from outside of it, Node's own modules aside. */
const packages: Record<string, readonly string[]> = {
  'packages/contract': ['zod'],
  // Its own name: the second entry takes types of the first, which it must not contain.
  'packages/sdk': ['@gatehouse/contract/routes', '@gatehouse/sdk'],
  'packages/mocks': ['@gatehouse/contract', 'ipaddr.js', 'msw', 'msw/browser', 'msw/node'],
  'packages/testing': ['@modelcontextprotocol/node', '@modelcontextprotocol/server', 'zod'],
  'packages/harness': ['@modelcontextprotocol/client', 'playwright-core'],
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

  it.each(['packages/contract', 'packages/sdk', 'packages/mocks'])(
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
