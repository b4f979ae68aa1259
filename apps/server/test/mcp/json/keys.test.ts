import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownKeys, mayBeginWith, textOf } from '../../../src/mcp/json/keys.ts';
import { literal } from '../support/json-arbitrary.ts';

const names = ['jsonrpc', 'id', 'method', 'params', 'name', 'uri', 'ref', 'task', 'type', '_meta'];
const keys = new KnownKeys(names);

function find(json: string | Buffer) {
  const bytes = Buffer.from(json);
  return keys.find(bytes, 0, bytes.length);
}

/** Every character of the first plane that a case folding of Unicode, of JavaScript or of Java makes `letter`. */
function variantsOf(letter: string): string[] {
  const variants: string[] = [];
  const folds = new RegExp(`^${letter}$`, 'iu');
  for (let code = 1; code <= 0xffff; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const char = String.fromCodePoint(code);
    const isVariant =
      folds.test(char) ||
      // Java compares single characters, without the dot above that remains.
      char.toLowerCase().replace('\u0307', '') === letter ||
      char.toUpperCase() === letter.toUpperCase();
    if (isVariant && char !== letter) variants.push(char);
  }
  return variants;
}

describe('known keys', () => {
  it.each(names)('find %s in every spelling of JSON', (name) => {
    const escaped = [...name].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('');
    for (const text of [name, escaped, `${escaped.slice(0, 6)}${name.slice(1)}`]) {
      expect(find(`"${text}"`)).toEqual({ name, isLookAlike: false });
    }
  });

  it('find what any case folding makes equal', () => {
    for (const letter of new Set(names.join('').replace('_', ''))) {
      const name = names.find((text) => text.includes(letter)) ?? '';
      for (const variant of variantsOf(letter)) {
        expect(find(JSON.stringify(name.replace(letter, variant)))).toEqual({
          name,
          isLookAlike: true,
        });
      }
    }
  });

  it('find what is equal without U+0000, at any number of them', () => {
    const nul = '\\u0000';
    for (const text of [`name${nul}`, `${nul}name`, `n${nul}${nul}ame`, `${nul.repeat(999)}NAME`]) {
      expect(find(`"${text}"`)).toEqual({ name: 'name', isLookAlike: true });
    }
  });

  it.each(['""', '"nam"', '"names"', '"na me"', '"\\\\u0000name"', '"n\\u00e1me"', '"\\ud83d"'])(
    'do not find %s',
    (text) => {
      expect(find(text)).toBeUndefined();
    },
  );

  it('find a key exactly where its decoded text is equal', () => {
    const spelling = fc.oneof(
      literal,
      fc.constantFrom(...names).map((name) => `"${name}"`),
    );
    fc.assert(
      fc.property(spelling, (text) => {
        const decoded: string = JSON.parse(text);
        const found = find(text);
        expect(found !== undefined && !found.isLookAlike).toBe(names.includes(decoded));
      }),
      { numRuns: 500, seed: 23 },
    );
  });

  it('stay calm at bytes that are not UTF-8', () => {
    const bytes = fc
      .uint8Array({ maxLength: 12 })
      .map((content) => Buffer.concat([Buffer.from('"'), content, Buffer.from('"')]))
      .filter((text) => isJson(text));
    fc.assert(
      fc.property(bytes, (text) => {
        expect(() => find(text)).not.toThrow();
      }),
      { numRuns: 500, seed: 29 },
    );
    expect(find(Buffer.from('"\xc5\\\\x"', 'latin1'))).toBeUndefined();
    expect(find(Buffer.from('"nam\xe2"', 'latin1'))).toBeUndefined();
  });
});

describe('a key may begin with a text', () => {
  const may = (json: string) =>
    mayBeginWith(Buffer.from(json), 0, Buffer.byteLength(json), 'mask/');

  it.each([
    '"mask/"',
    '"mask/x"',
    '"m\\u0061sk\\/x"',
    '"MASK/x"',
    '"ma\u017f\u212a/"',
    '"\\u0000ma\\u0000sk/"',
  ])('like %s', (json) => {
    expect(may(json)).toBe(true);
  });

  it.each(['""', '"mask"', '"xmask/"', '"mas/"', '"mask\u2044"', '"m\u00e1sk/"', '"mask\\\\/"'])(
    'unlike %s',
    (json) => {
      expect(may(json)).toBe(false);
    },
  );
});

describe('the text of a JSON string', () => {
  const read = (json: string, longest = 100) =>
    textOf(Buffer.from(json), 0, Buffer.byteLength(json), longest);

  it('is what JSON.parse reads', () => {
    fc.assert(
      fc.property(literal, (text) => {
        expect(read(text, 10_000)).toBe(
          /\\ud[89a-f]|\\u0000/i.test(text) ? read(text, 10_000) : JSON.parse(text),
        );
      }),
      { seed: 31 },
    );
    expect(read('"\\ud83d\\ude00"')).toBe('\u{1f600}');
  });

  it.each([
    '1',
    'null',
    '{}',
    '"a\\u0000"',
    '"\\ud83d"',
    '"\\ude00\\ud83d"',
    `"${'x'.repeat(101)}"`,
  ])('does not exist for %s', (json) => {
    expect(read(json)).toBeNull();
  });
});

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
