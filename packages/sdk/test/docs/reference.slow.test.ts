import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '@gatehouse/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGenerated, packageRoot } from './support/generated-file.ts';
import { hasExample, publicItems } from './support/public-api.ts';

const FOLDER = 'docs/reference';
const typedoc = join(packageRoot, '../../node_modules/typedoc/bin/typedoc');

describe('the reference', () => {
  let out = '';
  const page = (name: string) => readFile(join(out, name), 'utf8');

  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'gatehouse-reference-'));
    // A warning is an error there: a public name, method or hook without documentation, a dead link.
    await mustRun(process.execPath, [typedoc, '--out', out], { cwd: packageRoot });
  }, 180_000);

  afterAll(() => rm(out, { recursive: true, force: true }));

  it('that is committed is the one of the sources', async () => {
    const names = (await readdir(out)).sort();
    for (const name of names) await expectGenerated(`${FOLDER}/${name}`, await page(name));
    expect((await readdir(packageRoot + FOLDER)).sort()).toEqual(names);
  });

  it('has a section with an example for every class, method and function', async () => {
    const pages = await Promise.all(['index.md', 'validation.md'].map(page));
    const shown = pages.flatMap(sectionsWithExample);
    const wanted = publicItems()
      .filter(hasExample)
      .map(({ name }) => name);
    expect(shown.sort()).toEqual(wanted.sort());
  });

  it('has no link that leads nowhere', async () => {
    const texts: Record<string, string> = {};
    for (const name of await readdir(out)) texts[name] = await page(name);
    const links = Object.entries(texts).flatMap(([from, text]) =>
      [...text.matchAll(LINK)].map(([, to, anchor = '']) => [to || from, anchor] as const),
    );
    expect(links.length).toBeGreaterThan(500);
    const dead = links.filter(([to, anchor]) => {
      const place = anchor === '' ? '' : `<a id="${anchor}">`;
      return texts[to]?.includes(place) !== true;
    });
    expect(dead).toEqual([]);
  });
});

const LINK = /\]\(([\w.]*)(?:#([^)]*))?\)/g;

/** `Name` and `Class.method` of the sections of a page that show an example; not what is inherited. */
function sectionsWithExample(page: string): string[] {
  return page
    .split(/^(?=### )/m)
    .slice(1)
    .flatMap((section) => {
      const [own = '', ...methods] = section.split(/^(?=##### \w+\(\)$)/m);
      const name = /^### (?:`abstract` )?(\w+)/.exec(own)?.[1] ?? '';
      return [
        ...(/^#### Example$/m.test(own) ? [name] : []),
        ...methods
          .filter(
            (method) => /^###### Example$/m.test(method) && !method.includes('Inherited from'),
          )
          .map((method) => `${name}.${/\w+/.exec(method)?.[0]}`),
      ];
    });
}
