import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, packPackage, publishingFaults } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const LOADED = {
  import: `import { startIdentityProvider, startUpstream } from '@gatehouse/testing';`,
  require: `const { startIdentityProvider, startUpstream } = require('@gatehouse/testing');`,
};

const USED = `
  async function main() {
    const provider = await startIdentityProvider();
    const upstream = await startUpstream({ oauth: provider });
    const { accessToken } = provider.issueTokens();
    const status = async (headers) => (await fetch(upstream.url, { method: 'POST', headers })).status;
    const found = [await status({}), await status({ authorization: 'Bearer ' + accessToken })];
    process.stdout.write(JSON.stringify(found));
    await upstream.close();
    await provider.close();
  }
  main();`;

describe('the packed test kit', () => {
  let folder = '';
  let tarball = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-testing-'));
    tarball = await packPackage('packages/testing', folder);
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await mustRun('npm', ['install', ...flags, tarball], { cwd: folder });
  }, 240_000);

  afterAll(() => rm(folder, { recursive: true }));

  it('is packed as package managers, bundlers and both module systems want it', async () => {
    expect(await publishingFaults(tarball)).toEqual([]);
  });

  it.each(['import', 'require'] as const)('works in a project that takes it by %s', async (how) => {
    const type = how === 'import' ? 'module' : 'commonjs';
    const args = [`--input-type=${type}`, '--eval', LOADED[how] + USED];
    expect(await mustRun(process.execPath, args, { cwd: folder })).toBe('[401,400]');
  });
});
