import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { mustRun, publishingFaults } from '../../src/index.ts';

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/** A tarball with these files. */
async function pack(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, 'package', dirname(name)), { recursive: true });
    await writeFile(join(folder, 'package', name), text);
  }
  await mustRun('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  return join(folder, 'package.tgz');
}

const manifest = {
  name: 'sound',
  version: '1.0.0',
  type: 'module',
  license: 'Apache-2.0',
  exports: './index.js',
  publishConfig: { access: 'public', provenance: true },
};
const sound = {
  'package.json': JSON.stringify(manifest),
  'README.md': '# sound',
  LICENSE: '',
  'CHANGELOG.md': '',
  'index.js': 'export const a = 1;\n',
};

it('finds nothing in a sound package', async () => {
  expect(await publishingFaults(await pack(sound))).toEqual([]);
});

it('finds missing and unwanted files, and sources of maps and targets of links that are not there', async () => {
  const { LICENSE: _, ...unlicensed } = sound;
  const map = { version: 3, sources: ['a.ts', 'gone.ts', 'inside.ts'], mappings: '' };
  const tarball = await pack({
    ...unlicensed,
    'README.md': 'See [a](a.ts), [b](docs/b.md#c), [d](https://example.com) and [e](#e).',
    'a.ts': '',
    'index.js.map': JSON.stringify({ ...map, sourcesContent: [null, null, 'text'] }),
    'src/a.examples.ts': '',
    'fixtures/b.json': '{}',
  });
  expect(await publishingFaults(tarball)).toEqual([
    'index.js.map refers to gone.ts, which is not there.',
    'README.md links to docs/b.md, which is not there.',
    'LICENSE is missing.',
    'fixtures/b.json does not belong here.',
    'src/a.examples.ts does not belong here.',
  ]);
});

it('finds what holds in the workspace only', async () => {
  const tarball = await pack({
    ...sound,
    'src/index.js': sound['index.js'],
    'package.json': JSON.stringify({
      ...manifest,
      license: 'MIT',
      exports: './src/index.js',
      publishConfig: { access: 'public' },
      dependencies: { zod: 'catalog:' },
    }),
  });
  expect(await publishingFaults(tarball)).toEqual([
    'The license is not Apache-2.0.',
    'publishConfig does not say access public and provenance true.',
    'An export leads to sources.',
    'The dependency zod has the range catalog:.',
  ]);
});

it('passes on what publint and the check of types find', async () => {
  const tarball = await pack({
    ...sound,
    'package.json': JSON.stringify({
      ...manifest,
      types: './index.d.cts',
      exports: { import: './index.js', require: './absent.cjs' },
    }),
    'index.d.cts': 'export declare const a: number;\n',
  });
  const faults = await publishingFaults(tarball);
  expect(faults).toEqual([expect.stringMatching(/^publint:/), expect.stringMatching(/^attw:/)]);
});
