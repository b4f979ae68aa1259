import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { mustRun } from '@gatehouse/harness';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { packageRoot } from '../docs/support/generated-file.ts';
import { json, problem, startServer } from '../support/server.ts';
import type { Packed } from './packed.ts';

/**
 * One client with one list call, minified: what a page pays for the package. The other methods are in it
 * too, so that each operation costs some 25 bytes.
 */
const MAX_GZIP_BYTES = 6_500;

const repositoryModules = join(packageRoot, '../../node_modules');
const tsc = join(repositoryModules, 'typescript/bin/tsc');

/** What users do with the package. */
export function fixtures(packed: () => Packed): void {
  async function runFixture(...args: string[]): Promise<string> {
    const server = await startServer((response, { target }) => {
      if (target.endsWith('/unknown')) problem(response, 404, 'not_found');
      else json(response, 200, { items: [{ name: 'Issue tracker' }], nextCursor: null });
    });
    const env = { GATEHOUSE_BASE_URL: server.origin, GATEHOUSE_ACCESS_TOKEN: 'gh_pat_test' };
    return mustRun(process.execPath, args, { cwd: packed().folder, env });
  }

  it('is required', async () => {
    const output = await runFixture('cjs/index.js');
    expect(output).toBe('Issue tracker true true false true function');
  });

  it('is imported', async () => {
    expect(await runFixture('esm/index.js')).toBe('Issue tracker true true function');
  });

  it('shows its classes by the names under which they are exported', async () => {
    const script = `
      import * as sdk from '@gatehouse/sdk';
      const isClass = ([, value]) => /^class/.test(String(value));
      const wrong = Object.entries(sdk).filter(isClass).filter(([name, value]) => value.name !== name);
      const page = await new sdk.Gatehouse().integrations.list();
      console.log(wrong.length, page.constructor.name);`;
    expect((await runFixture('--input-type=module', '--eval', script)).trim()).toBe('0 Page');
  });

  it('is compiled by TypeScript for Node, in both module systems', async () => {
    const typeRoots = ['--typeRoots', join(repositoryModules, '@types')];
    await mustRun(tsc, ['-p', 'nodenext', ...typeRoots], { cwd: packed().folder });
    const output = await runFixture('nodenext/out/main.mjs');
    expect(output).toBe('Issue tracker not_found false function function');
  });

  it('is compiled by TypeScript for a bundler', async () => {
    await mustRun(tsc, ['-p', 'bundler'], { cwd: packed().folder });
  });

  it('is bundled into at most 6.5 kB that work', async () => {
    const outfile = join(packed().folder, 'bundler/out.js');
    await build({
      entryPoints: [join(packed().folder, 'bundler/index.ts')],
      outfile,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      logLevel: 'silent',
    });
    const size = gzipSync(await readFile(outfile), { level: 9 }).length;
    expect(size).toBeLessThanOrEqual(MAX_GZIP_BYTES);
    const script = `
      const { GATEHOUSE_BASE_URL: baseUrl, GATEHOUSE_ACCESS_TOKEN: accessToken } = process.env;
      Object.assign(globalThis, { baseUrl, accessToken });
      const { page } = await import('./bundler/out.js');
      process.stdout.write(page.items[0].name);`;
    expect(await runFixture('--input-type=module', '--eval', script)).toBe('Issue tracker');
  });

  it('vanishes from a bundle that does not use it', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "import '@gatehouse/sdk';", resolveDir: join(packed().folder, 'bundler') },
      write: false,
      bundle: true,
      minify: true,
      format: 'esm',
      logLevel: 'silent',
    });
    expect(outputFiles[0]?.text).toBe('');
  });
}
