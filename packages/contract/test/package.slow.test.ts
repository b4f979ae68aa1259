import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, packPackage, publishingFaults } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await mustRun('npm', ['install', ...flags, tarball], { cwd: folder });
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
});
