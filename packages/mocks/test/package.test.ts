import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustRun, packPackage, publishingFaults } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const packageRoot = fileURLToPath(new URL('../', import.meta.url));
const tsc = join(packageRoot, '../../node_modules/typescript/bin/tsc');

describe('the packed mocks', () => {
  let folder: string;
  let tarball: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-mocks-'));
    const [mocks, ...others] = await Promise.all(
      ['packages/mocks', 'packages/contract', 'packages/sdk'].map((directory) =>
        packPackage(directory, folder),
      ),
    );
    tarball = mocks ?? '';
    await cp(join(packageRoot, 'fixtures'), folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const { devDependencies } = JSON.parse(
      await readFile(join(packageRoot, 'package.json'), 'utf8'),
    );
    const wanted = [tarball, ...others, `msw@${devDependencies.msw}`];
    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await mustRun('npm', ['install', ...flags, ...wanted], { cwd: folder });
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are what publint and package managers ask for, with types that are right everywhere', async () => {
    expect(await publishingFaults(tarball)).toEqual([]);
  });

  it.each(['cjs', 'esm'])('work in a project of modules of the kind %s', async (kind) => {
    const output = await mustRun(process.execPath, [join(kind, 'index.js')], { cwd: folder });
    expect(output).toBe('Tracker rate_limited');
  });

  it('are compiled by TypeScript for Node, in both module systems', async () => {
    await mustRun(tsc, ['-p', 'nodenext'], { cwd: folder });
  }, 60_000);
});
