import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from './support/generated-file.ts';
import { publicItems } from './support/public-api.ts';

const typedoc = join(packageRoot, '../../node_modules/typedoc/bin/typedoc');

describe('the reference', () => {
  let out = '';

  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'gatehouse-reference-'));
    // A warning is an error there: a public name, method or hook without documentation, a dead link.
    await mustRun(process.execPath, [typedoc, '--out', out], { cwd: packageRoot });
  }, 60_000);

  afterAll(() => rm(out, { recursive: true, force: true }));

  it('has a page with an example for every public name', async () => {
    const names = publicItems()
      .map(({ name }) => name)
      .filter((name) => !name.includes('.'));
    const pages = (await readdir(out, { recursive: true })).filter((path) =>
      /^(classes|functions|interfaces|types)\//.test(path),
    );
    const shown = pages.map((path) => path.split('.')[1]);
    expect(shown.sort()).toEqual(names.sort());
    for (const page of pages) {
      expect(await readFile(join(out, page), 'utf8'), page).toMatch(/>Example</);
    }
  });

  it('begins with the README', async () => {
    expect(await readFile(join(out, 'index.html'), 'utf8')).toContain('The typed client of the');
  });
});
