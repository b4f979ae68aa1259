import { readFileSync } from 'node:fs';
import { installationSettings } from '@gatehouse/contract';
import { expect, it } from 'vitest';
import { slugify } from '../../../../docs/.vitepress/slugify.ts';
import { SETTINGS } from '../../src/platform/config/settings.ts';
import { root } from './pages.ts';

const settings = installationSettings('environment');

it('names variables that the server reads', () => {
  const names = Object.values(SETTINGS).map(({ name }) => name as string);
  for (const { variable } of settings) if (variable !== null) expect(names).toContain(variable);
});

it('leads to pages, and to headings on them', () => {
  for (const { page } of settings) {
    const [path, heading] = page.split('#');
    const text = readFileSync(new URL(`docs/${path}.md`, root), 'utf8');
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => slugify(title));
    if (heading !== undefined)
      expect([page, headings]).toEqual([page, expect.arrayContaining([heading])]);
  }
});

it('names no variable for keys that are in a file', () => {
  const ofFile = installationSettings('file').find(({ name }) => name === 'keys');
  expect(ofFile).toEqual({ name: 'keys', variable: null, page: 'run/keys' });
});
