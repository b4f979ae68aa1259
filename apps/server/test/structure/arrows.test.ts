import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const server = join(root, 'apps/server/src');

/** Which folders of the server a folder may import from, itself aside (docs/architecture.md). */
const allowed: Record<string, readonly string[]> = {
  platform: ['generated'],
  egress: ['platform'],
  credentials: ['platform', 'generated', 'egress'],
  http: ['platform', 'generated', 'credentials'],
  resources: ['platform', 'generated', 'egress', 'credentials', 'http'],
  gateway: ['platform', 'generated', 'egress', 'credentials', 'http', 'resources'],
};

/** All the gateway may know of the resources. */
const GATEWAY_PORT = 'resources/sessions/port.ts';

interface Import {
  readonly file: string;
  readonly target: string;
}

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(^|\/)(generated|node_modules)\//.test(name))
    .map((name) => join(directory, name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm)].map(
    ([, path]) => path ?? '',
  );
}

function importsWithin(directory: string): Import[] {
  return sourceFiles(directory).flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith('.'))
      .map((path) => ({
        file: relative(directory, file),
        target: relative(directory, resolve(dirname(file), path)),
      })),
  );
}

const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

describe("the server's folders", () => {
  const imports = importsWithin(server);

  it('import only along the arrows', () => {
    const against = imports.filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      return from !== '' && from !== to && !allowed[from]?.includes(to);
    });
    expect(against).toEqual([]);
  });

  it('let the gateway know of the resources the sessions port alone', () => {
    const known = imports
      .filter(
        ({ file, target }) => folderOf(file) === 'gateway' && folderOf(target) === 'resources',
      )
      .map(({ target }) => target);
    expect([...new Set(known)]).toEqual([GATEWAY_PORT]);
  });

  it('are all named in the table above', () => {
    const folders = new Set(
      imports.map(({ file }) => folderOf(file)).filter((name) => name !== ''),
    );
    expect([...folders].sort()).toEqual(Object.keys(allowed).sort());
  });

  it('keep ts-rest to the binding and the routers', () => {
    const users = sourceFiles(server)
      .filter((file) => importsOf(file).some((path) => path.startsWith('@ts-rest/')))
      .map((file) => relative(server, file))
      .filter((file) => !/^resources\/[\w-]+\/[\w-]*router\.ts$/.test(file));
    expect(users.sort()).toEqual([
      'app.ts',
      'http/express-adapter.ts',
      'http/validation-problem.ts',
    ]);
  });
});

describe('the packages', () => {
  const packageImports = (directory: string) =>
    new Set(
      sourceFiles(join(root, directory))
        .flatMap(importsOf)
        .filter((path) => !path.startsWith('.')),
    );

  it('let the SDK import the route table of the contract and nothing else', () => {
    const outside = sourceFiles(join(root, 'packages/sdk/src'))
      .filter((file) => !file.includes('/examples/'))
      .flatMap(importsOf)
      .filter((path) => !path.startsWith('.') && !path.startsWith('@gatehouse/sdk'));
    expect([...new Set(outside)]).toEqual(['@gatehouse/contract/routes']);
  });

  it('let the route table import nothing', () => {
    expect(importsOf(join(root, 'packages/contract/src/routes.ts'))).toEqual([]);
  });

  it('let nobody import an app, and the server import the SDK in tests alone', () => {
    for (const directory of [
      'packages/contract/src',
      'packages/sdk/src',
      'packages/mocks/src',
      'packages/testing/src',
    ]) {
      expect([...packageImports(directory)]).not.toContain('@gatehouse/server');
    }
    expect([...packageImports('apps/server/src')]).not.toContain('@gatehouse/sdk');
    expect([...packageImports('apps/server/src')]).not.toContain('@gatehouse/testing');
  });
});

describe('source files', () => {
  it('are at most 400 lines long', () => {
    const directories = [
      'packages/contract/src',
      'packages/sdk/src',
      'packages/mocks/src',
      'packages/testing/src',
      'apps/server/src',
    ];
    const long = directories
      .flatMap((directory) => sourceFiles(join(root, directory)))
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 401)
      .map((file) => relative(root, file));
    expect(long).toEqual([]);
  });
});
