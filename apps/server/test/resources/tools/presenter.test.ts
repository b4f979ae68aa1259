import fc from 'fast-check';
import jsonPatch from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../src/resources/tools/presenter.ts';

const values = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('a', '/', '~', 'é') });
const definitions = fc.dictionary(fc.constantFrom('name', 'a/b', 'm~n', '', 'title'), values);

describe('the changes of a definition', () => {
  it('make the new one of the old one', () => {
    fc.assert(
      fc.property(definitions, definitions, (before, after) => {
        const [from, to] = [JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after))];
        const changes = JSON.parse(JSON.stringify(changesBetween(from, to)));
        expect(jsonPatch.applyPatch(structuredClone(from), changes, true).newDocument).toEqual(to);
      }),
    );
  });

  it('are empty between equal ones', () => {
    expect(changesBetween({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
  });

  it('replace the whole where single ones would be longer than a definition', () => {
    const key = 'k'.repeat(20_000);
    const listOf = (value: number) => ({ [key]: Array.from({ length: 15_000 }, () => value) });
    const after = listOf(2);
    expect(changesBetween(listOf(1), after)).toEqual([{ op: 'replace', path: '', value: after }]);
  });
});
