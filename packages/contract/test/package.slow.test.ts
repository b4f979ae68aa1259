import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun, packPackage, publishingFaults } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const packageRoot = fileURLToPath(new URL('../', import.meta.url));
const tsc = join(packageRoot, '../../node_modules/typescript/bin/tsc');
const COMPILED = '--strict --target es2022 --lib es2023,dom --module nodenext --resolveJsonModule';

/** The stable one names zod 3 as its peer, so npm installs it beside zod 4 only with a flag. */
const TS_REST = ['3.53.0-rc.1', '3.52.1'];

const LOADED = {
  import: `
    import { contract, createTokenBodySchema } from '@gatehouse/contract';
    import { routes } from '@gatehouse/contract/routes';
    import document from '@gatehouse/contract/openapi.json' with { type: 'json' };`,
  require: `
    const { contract, createTokenBodySchema } = require('@gatehouse/contract');
    const { routes } = require('@gatehouse/contract/routes');
    const document = require('@gatehouse/contract/openapi.json');`,
};

const USED = `
  async function main() {
    const { error } = createTokenBodySchema.safeParse({ name: 'A', scopes: ['all'] });
    const fault = error.issues[0].path.join('/');
    const { path } = contract.connections.set;
    const known = routes.connections.set.path.replace(':id', '{id}') in document.paths;
    process.stdout.write(JSON.stringify({ path, fault, known }));
  }
  main();`;

describe('the packed contract', () => {
  let folder = '';
  let tarball = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-contract-'));
    tarball = await packPackage('packages/contract', folder);
    await install(folder, [tarball]);
  }, 240_000);

  afterAll(() => rm(folder, { recursive: true }));

  it('is packed as package managers, bundlers and both module systems want it', async () => {
    const newerThanNode10 = ['openapi.json'];
    expect(await publishingFaults(tarball, { newerThanNode10 })).toEqual([]);
  });

  it.each(['import', 'require'] as const)('works in a project that takes it by %s', async (how) => {
    const type = how === 'import' ? 'module' : 'commonjs';
    const args = [`--input-type=${type}`, '--eval', LOADED[how] + USED];
    // JSON modules are called experimental by Node 20.
    const env = { NODE_NO_WARNINGS: '1' };
    const output = await mustRun(process.execPath, args, { cwd: folder, env });
    expect(JSON.parse(output)).toEqual({
      path: '/integrations/:id/connection',
      fault: 'scopes/0',
      known: true,
    });
  });

  it('has declarations that hold beside zod alone, all of them checked', async () => {
    await cp(join(packageRoot, 'fixtures/schemas.ts'), join(folder, 'schemas.ts'));
    await compile(folder, ['schemas.ts'], ['--noEmit']);
  });

  it('gives types to the clients of each ts-rest', async () => {
    for (const version of TS_REST) {
      const project = join(folder, version);
      await mkdir(project);
      await install(project, ['--legacy-peer-deps', `@ts-rest/core@${version}`]);
      await cp(join(packageRoot, 'fixtures/client.ts'), join(project, 'client.ts'));
    }
    // Each finds its own ts-rest, and the contract in the folder above.
    const files = TS_REST.map((version) => join(version, 'client.ts'));
    await compile(folder, files, ['--skipLibCheck']);
  });

  it.each(TS_REST)('gives answers to the client of ts-rest %s', async (version) => {
    const print = `const { outcome } = await import('./client.js');
      process.stdout.write(JSON.stringify(outcome));`;
    const args = ['--input-type=module', '--eval', print];
    const output = await mustRun(process.execPath, args, { cwd: join(folder, version) });
    expect(JSON.parse(output)).toEqual({
      statuses: [204, 200, 404],
      organization: { id: '0190a000-0000-7000-8000-000000000002', name: 'Example' },
      isRefused: true,
    });
  });
});

async function install(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await mustRun('npm', ['install', ...flags, ...packages], { cwd: folder });
}

/** Compiles fixtures as a project does that has installed the tarball. */
async function compile(
  folder: string,
  files: readonly string[],
  flags: readonly string[],
): Promise<void> {
  const args = [tsc, ...COMPILED.split(' '), ...flags, ...files];
  await mustRun(process.execPath, args, { cwd: folder });
}
