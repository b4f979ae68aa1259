import fc from 'fast-check';

const deep = (open: string, close: string, levels: number) =>
  open.repeat(levels) + close.repeat(levels);

const LITERALS = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e999',
  '-1e999',
  '-0',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"x\\udc00y"',
  '"\\u202e\\u0007"',
  '"file:///etc/passwd"',
  '"javascript:alert(1)"',
  '"http://user:zq7-input-pass@127.0.0.1/"',
  '"http://169.254.169.254/"',
  '"https://a b"',
  '"0190A000-0000-7000-8000-00000000000G"',
  '"{0190a000-0000-7000-8000-000000000000}"',
  '"__proto__"',
  '"Bearer zq7-input-x\\r\\nX: y"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '["mcp","mcp",1]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2,"hasOwnProperty":3,"toJSON":4}',
  '{"$ref":"http://127.0.0.1:1/schema"}',
  '{"properties":{"a":{"$ref":"#"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}',
  '{"properties":{"t":{"type":"string","pattern":"("}}}',
  '{"properties":{"t":{"type":"string","x-header":"Host"}}}',
  deep('[', ']', 40),
  deep('[', ']', 5_000),
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  `"${'a'.repeat(201)}"`,
  `"${'zq7-input-'.repeat(2_000)}"`,
  `"${'\u{1f600}'.repeat(5_000)}"`,
  `[${Array(600).fill('"mcp"').join()}]`,
  `{${Array.from({ length: 200 }, (_, index) => `"k${index}":${index}`).join()}}`,
];

/** The text of a JSON value that a program might stumble over. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...LITERALS) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)) },
);

/** Names of fields that are unknown, or mean something to JavaScript. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'redirectUri', 'toJSON', '', 'a/b~c', 'clientsecret'),
  fc.string({ unit: 'binary' }),
);

/** A whole body that is not JSON, or not an object. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  hostileJson,
  fc.constantFrom(
    '{',
    '{"name":"a",}',
    "{'name':'a'}",
    '{"name":"a"}{"name":"b"}',
    '{"name":"a","name":1}',
    '\ufeff{"name":"a"}',
    'name=a&url=b',
    '<integration/>',
    'NaN',
    '\u0000',
    deep('[', '', 100_000),
    '"zq7-input-in-malformed',
  ),
  fc.string({ unit: 'binary' }),
);
