import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edit, membersChanged, removal, replacement } from '../../../src/mcp/json/edit.ts';
import { parseAtOnce } from '../../../src/mcp/json/parse.ts';
import { objectOf } from '../../../src/mcp/json/shape.ts';
import { objectOf as objectText } from '../translation/arbitrary.ts';

describe('an edit of bytes', () => {
  it('replaces what its edits name, in any order, and keeps every other byte', () => {
    const text = 'abcdefghij'.repeat(3);
    const cuts = fc.uniqueArray(fc.nat(text.length), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(cuts, fc.array(fc.string(), { minLength: 5, maxLength: 5 }), (at, values) => {
        const ends = at.toSorted((a, b) => a - b);
        const spans = values
          .map((value, i) => ({ start: ends[2 * i], end: ends[2 * i + 1], value }))
          .flatMap(({ start, end, value }) =>
            start === undefined || end === undefined ? [] : { start, end, value },
          );
        const expected = spans.reduceRight(
          (rest, { start, end, value }) => rest.slice(0, start) + value + rest.slice(end),
          text,
        );
        const edits = spans.map((span) => replacement(span, span.value)).reverse();
        expect(edit(Buffer.from(text), edits).toString()).toBe(expected);
      }),
    );
  });

  it('does not copy bytes that stay', () => {
    const bytes = Buffer.from('abc');
    expect(edit(bytes, [])).toBe(bytes);
  });

  it('adds before it replaces at the same position', () => {
    const edits = [removal({ start: 1, end: 2 }), replacement({ start: 1, end: 1 }, 'x')];
    expect(edit(Buffer.from('abc'), edits).toString()).toBe('axc');
  });

  it('counts positions from where its bytes begin', () => {
    const edits = [replacement({ start: 11, end: 12 }, 'x')];
    expect(edit(Buffer.from('abc'), edits, 10).toString()).toBe('axc');
  });
});

it('an object with changed members has those that stay, and the added ones before them', () => {
  const member = fc.tuple(fc.constantFrom('"a"', '"b"', '"c"', '"\\u0061"'), fc.json());
  const object = fc.array(member, { maxLength: 6 }).chain(objectText);
  fc.assert(
    fc.property(object, fc.constantFrom('', '"new":1'), (text, added) => {
      const bytes = Buffer.from(text);
      const root = parseAtOnce(bytes, objectOf(['a', 'b']));
      if (root === undefined) throw new Error('It cannot be read.');
      const changed = edit(bytes, membersChanged(root, root.members, added));
      const { c } = JSON.parse(text);
      const expected = { ...(added === '' ? {} : { new: 1 }), ...(c === undefined ? {} : { c }) };
      expect(JSON.parse(changed.toString())).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
