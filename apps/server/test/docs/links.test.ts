import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pages, proseOf, root } from './pages.ts';

/** Where a quoted path may begin: pages about the server leave out what its paths have in common. */
const BASES = ['', 'apps/server/', 'apps/server/src/', 'apps/server/test/'];

const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g;
const QUOTED = /`([^`\s]+)`/g;
const TOP_FOLDER = /^(apps|bench|deploy|docs|examples|packages|scripts)\//;
const SOURCE_FILE = /^[\w@.<>*-]+(\/[\w@.<>*-]+)+\.(ts|mjs|md|json|jsonc|prisma|sql|toml|txt)$/;

/** Up to the first name that stands for others, such as `<name>` or `*.ts`. */
function fixedPart(path: string): string {
  return path.replace(/[^/]*[<*…][\s\S]*$/, '');
}

function linksOf(page: string): string[] {
  return [...proseOf(page).matchAll(LINK)].flatMap(([, path = '']) =>
    existsSync(new URL(path, new URL(page, root))) ? [] : [`${page} links to ${path}`],
  );
}

function quotedPathsOf(page: string): string[] {
  return [...proseOf(page).matchAll(QUOTED)].flatMap(([, path = '']) => {
    const isBuilt = path.includes('/dist/') || path.includes('node_modules/');
    if (isBuilt || !(TOP_FOLDER.test(path) || SOURCE_FILE.test(path))) return [];
    const exists = BASES.some((base) => existsSync(new URL(base + fixedPart(path), root)));
    return exists ? [] : [`${page} quotes ${path}`];
  });
}

it('every relative link leads to a file', () => {
  expect(pages().flatMap(linksOf)).toEqual([]);
});

it('every quoted path of the repository exists', () => {
  expect(pages().flatMap(quotedPathsOf)).toEqual([]);
});
