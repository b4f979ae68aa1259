import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCatalogued, readDefinition } from '../../src/catalogue/fingerprint.ts';
import { listedToolsOf } from '../../src/mcp/client/listed-tools.ts';
import { filterEvents } from '../mcp/list-filter/support.ts';

const read = (text: string, name = 'a') => readDefinition(Buffer.from(text), name);
const TOOL = {
  name: 'a',
  title: 'A',
  description: 'Opens it.',
  inputSchema: { type: 'object', properties: { x: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  icons: [{ src: 'https://example.com/a.png' }],
  execution: { taskSupport: 'optional' },
};
/** What of `_meta` clients read. */
const META = {
  ui: { resourceUri: 'ui://a/main.html' },
  'ui/resourceUri': 'ui://a/main.html',
  'openai/outputTemplate': 'ui://a/main.html',
};

const jsonObject = fc.dictionary(fc.string(), fc.jsonValue({ depthSize: 'small' }));
const tools = fc.record(
  {
    name: fc.constant('a'),
    title: fc.string(),
    description: fc.string(),
    inputSchema: jsonObject,
    outputSchema: jsonObject,
    annotations: jsonObject,
  },
  { requiredKeys: ['name'] },
);

/** The same value with all keys in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe('the fingerprint of a tool', () => {
  it('is the SHA-256 of its canonical JSON', () => {
    expect(
      read('{ "description": "\\u00f6", "name": "a", "annotations": {"b": 1.0, "a": [1e2]} }'),
    ).toEqual({
      name: 'a',
      definition: '{"annotations":{"a":[100],"b":1},"description":"ö","name":"a"}',
      // printf '%s' '<definition>' | sha256sum
      fingerprint: 'a308fbbcf35153ab0cd10f696313b7ef1d5e0c5bb618b2030cfa95c1a30bd762',
      schemaFingerprint: '9233df2dd2522feb2d263b1eab41d4382a241c394100b919cba663c438c4b539',
      readOnly: false,
    });
  });

  it('is taken of what the library prints', () => {
    const key = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('10', '9', '__proto__', 'toJSON', '\ue000', '😀'),
    );
    const leaf = fc.jsonValue({ depthSize: 'small' });
    const value = fc.oneof(leaf, fc.dictionary(key, leaf));
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.nat(2), (inputSchema, indent) => {
        const tool = { name: 'a', inputSchema };
        const { definition } = read(JSON.stringify(tool, null, indent));
        expect(definition).toBe(canonicalize(JSON.parse(JSON.stringify(tool))));
      }),
    );
  });

  it.each([
    ['1E2', '100'],
    ['-0.0', '0'],
    ['1e21', '1e+21'],
    ['0.0000001', '1e-7'],
    [
      '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"',
      '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"',
    ],
    ['{"\\r":1,"\\u20ac":2,"\\ud83d\\ude00":3,"\\ufb33":4}', '{"\\r":1,"€":2,"😀":3,"\ufb33":4}'],
    ['[true,false,null,{},[]]', '[true,false,null,{},[]]'],
  ])('is taken of RFC 8785: %s', (sent, canonical) => {
    const { definition } = read(`{"name":"a","inputSchema":${sent}}`);
    expect(definition).toBe(`{"inputSchema":${canonical},"name":"a"}`);
  });

  it('depends on no order of keys, white space, unknown fields or other members of `_meta`', () => {
    fc.assert(
      fc.property(tools, (tool) => {
        const other = { unknown: 1, ...(reversed(tool) as object), _meta: { n: 1, m: [{}] } };
        expect(read(JSON.stringify(other, null, 2))).toEqual(read(JSON.stringify(tool)));
      }),
    );
  });

  it('is that of the definition, however long other fields are', () => {
    const long = { ...TOOL, other: 'x'.repeat(70 * 1024), _meta: { x: ['y'.repeat(70 * 1024)] } };
    expect(read(JSON.stringify(long))).toEqual(read(JSON.stringify(TOOL)));
    const spaced = JSON.stringify(TOOL).replaceAll('":', `":${' '.repeat(10 * 1024)}`);
    expect(read(spaced)).toEqual(read(JSON.stringify(TOOL)));
  });

  it.each([
    ['1.0', '1'],
    ['100e-2', '1'],
    ['-0', '0'],
    ['0.10', '0.1'],
    ['9007199254740992.000', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.0', '9007199254740993'],
    ['-0.9007199254740993e16', '-9007199254740993'],
    ['333333333.33333329', '33333333333333329e-8'],
    ['1e-400', '1e-400'],
    ['0.00001e-395', '1e-400'],
  ])('has the number %s by its digits', (sent, canonical) => {
    const { definition } = read(`{"name":"a","inputSchema":{"default":${sent}}}`);
    expect(definition).toBe(`{"inputSchema":{"default":${canonical}},"name":"a"}`);
  });

  it('of two numbers is equal if and only if they are', () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 20n });
    const numbers = fc.tuple(digits, fc.integer({ min: -30, max: 30 }), fc.nat(5));
    const equalsTwice = fc.tuple(numbers, numbers, fc.boolean());
    fc.assert(
      fc.property(equalsTwice, ([[one, exponent, zeros], [other, otherExponent], isSame]) => {
        const padded = `${one}${'0'.repeat(zeros)}e${exponent - zeros}`;
        const second = isSame ? `${one}e${exponent}` : `${other}e${otherExponent}`;
        const scaled = (value: bigint, by: number) => value * 10n ** BigInt(by + 40);
        const areEqual = isSame || scaled(one, exponent) === scaled(other, otherExponent);
        const definitionOf = (number: string) =>
          read(`{"name":"a","inputSchema":[${number}]}`).fingerprint;
        expect(definitionOf(padded) === definitionOf(second)).toBe(areEqual);
      }),
    );
  });

  it('takes a long text of an icon by its SHA-256', () => {
    const withIcon = (src: string) => read(JSON.stringify({ ...TOOL, icons: [{ src }] }));
    const long = `data:image/png;base64,${'A'.repeat(300 * 1024)}`;
    const { definition, readOnly, fingerprint } = withIcon(long);
    expect(readOnly).toBe(true);
    expect(definition?.length).toBeLessThan(1_000);
    expect(withIcon(`${long}B`).fingerprint).not.toBe(fingerprint);
    expect(withIcon(long).fingerprint).toBe(fingerprint);
  });

  it('is the same in a list that the gateway relays and in one that validate reads', () => {
    const repeated = '"inputSchema":{"x":1,"x":2}';
    fc.assert(
      fc.property(tools, fc.nat(3), fc.boolean(), (tool, indent, isRepeated) => {
        const entry = JSON.stringify(
          { ...tool, icons: [{ src: 'x'.repeat(70_000) }], _meta: { n: 1, ...META } },
          null,
          indent,
        );
        const sent = isRepeated ? entry.replace('"name"', `${repeated},"name"`) : entry;
        const text = `{"jsonrpc":"2.0","id":1,"result":{"tools":[ ${sent}]}}`;
        const relayed: Buffer[] = [];
        const allows = (_list: unknown, _name: string, bytes: Buffer) =>
          relayed.push(Buffer.from(bytes)) > 0;
        const lines = text.split('\n').map((line) => `data: ${line}\n`);
        filterEvents(`${lines.join('')}\n`, { allows, makePrivate: false });
        const listed = listedToolsOf(text).map((found) => readDefinition(found.entry, found.name));
        expect(listed).toHaveLength(1);
        expect(listed).toEqual(relayed.map((bytes) => readDefinition(bytes, 'a')));
        expect(listed[0]?.definition === null).toBe(isRepeated);
      }),
      { numRuns: 50 },
    );
  });

  it('differs with every field, and that of the schema with all but title and description', () => {
    const { fingerprint, schemaFingerprint } = read(JSON.stringify(TOOL));
    for (const field of Object.keys(TOOL).filter((key) => key !== 'name')) {
      const changed = read(JSON.stringify({ ...TOOL, [field]: { other: 1 } }));
      expect(changed.fingerprint).not.toBe(fingerprint);
      const isText = field === 'title' || field === 'description';
      expect(changed.schemaFingerprint === schemaFingerprint, field).toBe(isText);
    }
    for (const [key, value] of Object.entries(META)) {
      const added = read(JSON.stringify({ ...TOOL, _meta: { n: 1, [key]: value } }));
      const changed = read(JSON.stringify({ ...TOOL, _meta: { [key]: { other: 1 }, n: 2 } }));
      const all = [fingerprint, added.fingerprint, changed.fingerprint];
      expect(new Set(all).size, key).toBe(3);
      const schemas = [schemaFingerprint, added.schemaFingerprint, changed.schemaFingerprint];
      expect(new Set(schemas).size, key).toBe(3);
    }
    const nested = { ...TOOL, inputSchema: { ...TOOL.inputSchema, description: 'text' } };
    expect(read(JSON.stringify(nested)).schemaFingerprint).not.toBe(schemaFingerprint);
  });

  it('of different tools is different', () => {
    fc.assert(
      fc.property(tools, tools, (one, other) => {
        const isSame =
          read(JSON.stringify(one)).fingerprint === read(JSON.stringify(other)).fingerprint;
        expect(isSame).toBe(
          read(JSON.stringify(one)).definition === read(JSON.stringify(other)).definition,
        );
      }),
    );
  });

  it.each([
    ['a key twice', '{"name":"a","description":"good","description":"bad"}'],
    ['a key twice, once escaped', '{"name":"a","description":"good","descriptio\\u006e":"bad"}'],
    ['a key twice in a schema', '{"name":"a","inputSchema":{"properties":{"x":{},"x":{}}}}'],
    ['a key in another case', '{"name":"a","Description":"bad"}'],
    ['a key with U+0000', '{"name":"a","description\\u0000":"bad"}'],
    ['`_meta` twice', '{"name":"a","_meta":{},"_meta":{"ui":{}}}'],
    ['`_meta` twice, once without members', '{"name":"a","_meta":1,"_meta":{"ui":{}}}'],
    ['a key of `_meta` twice', '{"name":"a","_meta":{"ui":{"resourceUri":"ui://a"},"ui":{}}}'],
    ['a key of `_meta` in another case', '{"name":"a","_meta":{"UI":{"resourceUri":"ui://a"}}}'],
    ['a key twice below `_meta`', '{"name":"a","_meta":{"ui":{"x":1,"x":2}}}'],
    ['half of a surrogate pair', '{"name":"a","description":"\\ud800"}'],
    ['a number without a double', '{"name":"a","inputSchema":{"default":1e400}}'],
    ['an exponent without end', '{"name":"a","inputSchema":{"default":1e-99999999}}'],
    ['deep nesting', `{"name":"a","inputSchema":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['many bytes', `{"name":"a","description":"${'x'.repeat(64 * 1024)}"}`],
  ])('is that of the bytes with %s, and says nothing of reading', (_, text) => {
    const read1 = read(text.replace('{"name"', '{"annotations":{"readOnlyHint":true},"name"'));
    expect(read1).toMatchObject({ definition: null, readOnly: false });
    expect(read1.fingerprint).toMatch(/^raw:[0-9a-f]{64}$/);
    expect(read1.schemaFingerprint).toBe(read1.fingerprint);
    expect(read(text).fingerprint).not.toBe(read1.fingerprint);
  });

  it.each(['', 'x'.repeat(129), 'a\0', '\ud800'])('is not taken of a tool named %j', (name) => {
    expect(isCatalogued(name)).toBe(false);
    expect(read(JSON.stringify({ name }), name).definition).toBeNull();
  });

  it.each([
    ['many keys', Array.from({ length: 7_000 }, (_, i) => `"${i.toString(36)}":1`).join(',')],
    ['a long number', `"x":1${'0'.repeat(30_000)}1${'0'.repeat(30_000)}e-60000`],
  ])('takes no longer than a moment with %s', (_, members) => {
    const entry = Buffer.from(`{"name":"a","inputSchema":{${members}}}`);
    expect(entry.length).toBeLessThan(64 * 1024);
    const times = Array.from({ length: 5 }, () => {
      const began = process.cpuUsage();
      readDefinition(entry, 'a');
      return process.cpuUsage(began).user / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(25);
  });
});
