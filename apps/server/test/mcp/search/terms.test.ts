import { expect, it } from 'vitest';
import { termsOf } from '../../../src/mcp/search/terms.ts';

it.each([
  ['list_pull-requests', ['list', 'pull', 'request']],
  ['listIssues', ['list', 'issue', 'listissue']],
  ['parseHTMLText', ['parse', 'html', 'text', 'parsehtmltext']],
  ['Repositories, ACCESS!', ['repository', 'access']],
  ['Ärger déjà', ['arger', 'deja']],
  ['查找issue', ['查', '找', 'issue']],
  ['', []],
  ['— … ?', []],
])('the terms of “%s”', (text, terms) => {
  expect(new Set(termsOf(text))).toEqual(new Set(terms));
});

it('no term is longer than 32 characters', () => {
  expect(termsOf('a'.repeat(10_000))).toEqual(['a'.repeat(32)]);
});
