import { decideName, decideTemplate, matches, type NameRules } from '@gatehouse/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const settings = { numRuns: 3000 };
/** Few letters, so that patterns match often; one that means something to regular expressions, and half an emoji. */
const letter = fc.constantFrom('a', 'a', 'b', '.', '\ud83d');
const name = fc.string({ unit: letter, maxLength: 24 });
const wild = { arbitrary: fc.constant('*'), weight: 1 };
const pattern = fc.string({
  unit: fc.oneof({ arbitrary: letter, weight: 3 }, wild),
  maxLength: 12,
});
const list = fc.option(fc.array(pattern, { maxLength: 4 }), { nil: undefined });

/** The pattern as a regular expression, which may take exponential time. */
const naive = (text: string) =>
  new RegExp(`^${text.replaceAll('.', '\\.').replace(/\*+/g, '[^]*')}$`);
const anyMatches = (patterns: readonly string[], text: string) =>
  patterns.some((each) => naive(each).test(text));

const decide = (rules: NameRules, text: string) =>
  decideName([{ level: 'attachment', rules: { tools: rules } }], 'tools', text)[0]?.code;

describe('patterns', () => {
  it('match as regular expressions do', () => {
    const property = fc.property(pattern, name, (text, other) => {
      expect(matches(text, other)).toBe(naive(text).test(other));
      expect(matches(text, text.replaceAll('*', other))).toBe(true);
    });
    fc.assert(property, settings);
  });

  it('match long names as short ones', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
    const cuts = fc.array(fc.nat(400), { minLength: 12, maxLength: 12 });
    const property = fc.property(word, word, word, cuts, (start, again, end, lengths) => {
      const piece = start + again.repeat(100) + end + again.repeat(100) + end;
      const beginnings = lengths.map((length) => piece.slice(0, length)).join('');
      for (const text of [beginnings, beginnings + piece.slice(1), beginnings + piece]) {
        expect(matches(`*${piece}*`, text + start)).toBe((text + start).includes(piece));
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('decide in lists as one by one', () => {
    const property = fc.property(list, list, name, (allow, deny, text) => {
      const isDenied = anyMatches(deny ?? [], text);
      const isAllowed = allow === undefined || anyMatches(allow, text);
      const expected = isDenied ? 'tool_denied' : isAllowed ? undefined : 'tool_not_allowed';
      expect(decide({ allow, deny }, text)).toBe(expected);
    });
    fc.assert(property, settings);
  });

  it('refuse a template only if they refuse each expansion', () => {
    const expansions = fc.array(name, { minLength: 3, maxLength: 3 });
    const property = fc.property(list, list, pattern, expansions, (allow, deny, text, values) => {
      const resources = {
        allow: allow?.map((each) => `r:${each}`),
        deny: deny?.map((each) => `r:${each}`),
      };
      const levels = [{ level: 'attachment', rules: { resources } }] as const;
      const isShown = decideTemplate(levels, `r:${text.replaceAll('*', '{x}')}`).length === 0;
      const usable = values.filter((value) => {
        const uri = `r:${text.replaceAll('*', value)}`;
        return decideName(levels, 'resources', uri).length === 0;
      });
      if (usable.length > 0) expect(isShown).toBe(true);
      if (!text.includes('*')) expect(isShown).toBe(usable.length > 0);
    });
    fc.assert(property, settings);
  });

  it('refuse a template where one of deny covers it', () => {
    const property = fc.property(pattern, (text) => {
      const levels = [
        { level: 'attachment', rules: { resources: { deny: [`r:${text}`] } } },
      ] as const;
      expect(decideTemplate(levels, `r:${text.replaceAll('*', '{x}')}`)).toHaveLength(1);
    });
    fc.assert(property, settings);
  });

  it('take microseconds: 500 of them, and one name', () => {
    const deny = Array.from({ length: 500 }, (_, i) => `*_delete_${i}*`);
    decide({ deny }, 'issue_read');
    const start = performance.now();
    for (let i = 0; i < 100; i++) decide({ deny }, 'issue_read_comment');
    expect(performance.now() - start).toBeLessThan(100);
  });

  it('take linear time', () => {
    const half = 'a'.repeat(100_000);
    const start = performance.now();
    expect(matches(`*${half}b${half}*`, half.repeat(4))).toBe(false);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
