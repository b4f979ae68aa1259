import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { root } from './pages.ts';

/**
 * Expects the part of a page between two marks to be the generated text. With `UPDATE_DOCS=1` the
 * page is rewritten instead.
 *
 * @param page - its path in the repository
 * @param marks - matches the whole part, with its two marks in the groups `before` and `after`
 */
export function expectGenerated(page: string, marks: RegExp, expected: string): void {
  const file = new URL(page, root);
  const text = readFileSync(file, 'utf8');
  const found = marks.exec(text);
  if (!found?.groups) throw new Error(`${page} has no part that matches ${marks.source}.`);
  const { before = '', after = '' } = found.groups;
  if (process.env.UPDATE_DOCS === '1') {
    writeFileSync(
      file,
      text.replace(marks, () => before + expected + after),
    );
    return;
  }
  expect(found[0], `${page} is stale: run this test with UPDATE_DOCS=1`).toBe(
    before + expected + after,
  );
}
