import { ApiError } from '@gatehouse/sdk';
import { describe, expect, it } from 'vitest';
import { explain, showAtFields } from '../src/api/problems.ts';
import { relativeTime } from '../src/components/relative-time.ts';
import { type Column, nextSort, sortRows } from '../src/components/sort-rows.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');

describe('relative times', () => {
  it.each([
    [-3_000, 'just now'],
    [3_000, 'just now'],
    [30_000, 'in a moment'],
    [-119_000, '1 minute ago'],
    [-2 * 3_600_000, '2 hours ago'],
    [26 * 3_600_000, 'tomorrow'],
    [-30 * 86_400_000, '16 May'],
    [-400 * 86_400_000, '11 May 2025'],
  ])('says %i ms as %s', (distance, words) => {
    expect(relativeTime(NOW + distance, NOW)).toBe(words);
  });
});

describe('sorting', () => {
  const columns: Column<string, string>[] = [
    { id: 'name', header: 'Name', cell: (row) => row, sortBy: (row) => row },
  ];

  it('compares numbers in names as numbers, and ignores case', () => {
    const rows = ['b 10', 'B 9', 'a'];
    expect(sortRows(rows, columns, 'name')).toEqual(['a', 'B 9', 'b 10']);
    expect(sortRows(rows, columns, '-name')).toEqual(['b 10', 'B 9', 'a']);
  });

  it('leaves rows as they are for a column that does not exist', () => {
    expect(sortRows(['b', 'a'], columns, 'constructor')).toEqual(['b', 'a']);
  });

  it('goes from ascending to descending to the order of the list', () => {
    expect([nextSort('name', undefined), nextSort('name', 'name')]).toEqual(['name', '-name']);
    expect(nextSort('name', '-name')).toBeUndefined();
  });
});

describe('problems', () => {
  const problem = (errors: { pointer: string; code: string; message: string }[]) =>
    new ApiError({
      status: 400,
      headers: new Headers(),
      requestId: 'r-1',
      problem: {
        type: 'urn:gatehouse:problem:validation_failed',
        title: 'The request is not valid.',
        status: 400,
        detail: 'A field is wrong.',
        code: 'validation_failed',
        requestId: 'r-1',
        errors,
      },
    });

  it('are explained by their own sentence, and quoted by their request id', () => {
    expect(explain(problem([]))).toEqual({ sentence: 'A field is wrong.', requestId: 'r-1' });
    expect(explain(new TypeError('x is undefined')).sentence).toBe('The console itself failed.');
  });

  it('stand at the field that their pointer leads into, and elsewhere where the form has no such field', () => {
    const shown: string[] = [];
    const set = (field: string, { message = '' }) => shown.push(`${field}: ${message}`);
    const names = { name: 'body.name', redirectUris: 'body.redirectUris' } as const;
    const here = [
      { pointer: '/name', code: 'too_long', message: 'Too long.' },
      { pointer: '/redirectUris/0', code: 'invalid', message: 'Not absolute.' },
    ];
    expect(showAtFields(problem(here), names, set)).toBe(true);
    expect(shown).toEqual(['body.name: Too long.', 'body.redirectUris: Not absolute.']);
    const other = [{ pointer: '/url', code: 'invalid', message: 'Not a URL.' }];
    expect(showAtFields(problem(other), names, set)).toBe(false);
  });
});
