import { expect, it } from 'vitest';
import { pages, proseOf } from './pages.ts';

/** What fits on a screen. */
const MAX_WORDS = 600;

/** The words above the line that begins the appendix. */
function wordsOf(page: string): number {
  const [text = ''] = proseOf(page).split('\n---\n');
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

it('every decision page fits on a screen above its appendix', () => {
  const long = pages()
    .filter((page) => page.startsWith('docs/decisions/'))
    .filter((page) => wordsOf(page) > MAX_WORDS)
    .map((page) => `${page} has ${wordsOf(page)} words`);
  expect(long).toEqual([]);
});
