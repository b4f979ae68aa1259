import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

function foldersIn(group: string): string[] {
  return readdirSync(join(root, group)).map((name) => `${group}/${name}`);
}

it('the types of every package and of all its configurations are checked', () => {
  const configured = [...foldersIn('packages'), ...foldersIn('apps'), 'docs', 'examples'].flatMap(
    (folder) =>
      readdirSync(join(root, folder))
        .filter((name) => /^tsconfig.*\.json$/.test(name))
        .map((name) => `${folder}/${name}`),
  );
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const checked = references.map(({ path }: { path: string }) =>
    path.endsWith('.json') ? path : `${path}/tsconfig.json`,
  );
  expect(checked.sort()).toEqual(configured.sort());
});
