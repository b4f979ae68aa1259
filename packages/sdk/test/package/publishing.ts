import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { publishingFaults, runCommand } from '@gatehouse/harness';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { expectGenerated, packageRoot } from '../docs/support/generated-file.ts';
import type { Packed } from './packed.ts';

const MAX_UNPACKED_BYTES = 360_000;

/** What the registry gets. */
export function publishing(packed: () => Packed): void {
  it('is what publint and package managers ask for, with types that are right everywhere', async () => {
    expect(await publishingFaults(packed().tarball)).toEqual([]);
  });

  it('has no dependencies, and says what bundlers and registries want to know', async () => {
    const manifest = JSON.parse(await readFile(join(packed().installed, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
    expect(manifest).not.toHaveProperty('optionalDependencies');
    expect(manifest).toMatchObject({
      sideEffects: false,
      publishConfig: { access: 'public', provenance: true },
    });
    expect(JSON.stringify(manifest.exports)).not.toContain('src/');
  });

  it('is small', async () => {
    const { files, installed } = packed();
    const sizes = await Promise.all(files.map(async (name) => stat(join(installed, name))));
    const total = sizes.reduce((sum, { size }) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(MAX_UNPACKED_BYTES);
  });

  it('holds what belongs into it and nothing else', () => {
    const folders = new Set(packed().files.map((name) => name.split('/')[0]));
    expect([...folders].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      'validation',
    ]);
  });

  it.each(['import', 'require'])('has stack traces of its sources: %s', async (how) => {
    const fails = 'new Gatehouse({ accessToken: "", baseUrl: "https://a" })';
    const script =
      how === 'require'
        ? `const { Gatehouse } = require('@gatehouse/sdk'); ${fails}`
        : `import { Gatehouse } from '@gatehouse/sdk'; ${fails}`;
    const type = how === 'require' ? 'commonjs' : 'module';
    const { output } = await runCommand(
      process.execPath,
      ['--enable-source-maps', `--input-type=${type}`, '--eval', script],
      { cwd: join(packed().folder, 'esm') },
    );
    const line = Number(/sdk\/src\/transport\/access-tokens\.ts:(\d+)/.exec(output)?.[1]);
    const source = await readFile(join(packageRoot, 'src/transport/access-tokens.ts'), 'utf8');
    expect(source.split('\n')[line - 1]).toContain('throw new InvalidArgumentError');
  });

  it.each(['index', 'validation'])('imports nothing: %s', async (entry) => {
    for (const extension of ['.js', '.cjs']) {
      const text = await readFile(join(packed().installed, `dist/${entry}${extension}`), 'utf8');
      expect(text.match(/^\s*(import|export)\b.*\bfrom\b.*$/gm)).toBeNull();
      expect(text).not.toMatch(/\b(import|require)\s*\(/);
      expect(text).not.toMatch(/@gatehouse\/contract['"]|node:|zod|ts-rest/);
    }
  });

  it('offers the surface that was agreed: removing from it is a breaking change', async () => {
    const { installed } = packed();
    const parts = ['index', 'validation'].map(async (entry) => {
      const names = Object.keys(createRequire(installed)(join(installed, `dist/${entry}.cjs`)));
      const file = join(installed, `dist/${entry}.d.cts`);
      return [
        `// ${entry} exports ${names.sort().join(', ')}`,
        withoutComments(await readFile(file, 'utf8')),
      ];
    });
    await expectGenerated('api-surface.txt', (await Promise.all(parts)).flat().join('\n'));
  });
}

function withoutComments(text: string): string {
  const source = ts.createSourceFile('surface.d.ts', text, ts.ScriptTarget.ES2022);
  return ts.createPrinter({ removeComments: true }).printFile(source);
}
