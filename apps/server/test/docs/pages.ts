import { readdirSync, readFileSync } from 'node:fs';

/** The repository. */
export const root = new URL('../../../../', import.meta.url);

/** Pages outside `docs/`. Those of the published packages are checked as they are packed. */
const OTHER_PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'apps/server/README.md',
  'bench/figures.md',
  'examples/README.md',
  'examples/clients/README.md',
  '.changeset/README.md',
];

/** Paths in the repository of every page for people. */
export function pages(): string[] {
  const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' });
  return [
    ...OTHER_PAGES,
    ...docs
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules/'))
      .map((name) => `docs/${name}`),
  ];
}

/** The text of a page without its code blocks. */
export function proseOf(page: string): string {
  return readFileSync(new URL(page, root), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}
