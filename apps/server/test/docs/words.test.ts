import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from './pages.ts';
import { proseIn, writtenFiles } from './prose.ts';

/** The first column of the glossary's list. */
function bannedWords(): string[] {
  const glossary = readFileSync(new URL('docs/glossary.md', root), 'utf8');
  const list = glossary.split('## Not these words')[1] ?? '';
  return [...list.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  );
}

it('the glossary bans words', () => {
  expect(bannedWords()).toContain('whose');
});

it('no comment, test name, page or text for users has a word that the glossary bans', () => {
  const words = bannedWords().map((word) => word.replaceAll(' ', '\\s+(?:\\*\\s+)?'));
  const banned = new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');
  const found = writtenFiles()
    .flatMap(proseIn)
    .flatMap(({ file, line, text }) => {
      const word = banned.exec(text)?.[0];
      return word ? [`${file}:${line} says "${word}"`] : [];
    });
  expect(found).toEqual([]);
});
