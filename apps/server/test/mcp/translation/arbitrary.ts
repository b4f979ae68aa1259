import fc from 'fast-check';

/** White space between tokens, which stays. */
const blank = fc.constantFrom('', '', ' ', '\n', '\t ');

/** Raw values that a parser would print differently. */
const rawValue = fc.constantFrom(
  '1.50e+3',
  '12345678901234567890',
  '-0',
  '"\\u0061"',
  '{"id":1,"_meta":{"io.modelcontextprotocol/x":1}}',
  '[{"resultType":"x"} , 2.0]',
  'null',
  '"x,}"',
);

/** Members of an object: some of the given keys, each at most once, and others. */
export function membersWith(keys: readonly string[], values = rawValue) {
  const others = ['a', 'content', 'é', 'b\\"', 'x-1', 'io.modelcontext'].map((key) => `"${key}"`);
  const known = keys.map((key) => `"${key}"`);
  return fc
    .uniqueArray(fc.constantFrom(...known, ...others), { maxLength: 7 })
    .chain((chosen) => fc.tuple(...chosen.map((key) => fc.tuple(fc.constant(key), values))));
}

/** An object with these members. */
export function objectOf(members: readonly (readonly [string, string])[]) {
  return fc
    .tuple(...members.map(() => fc.tuple(blank, blank, blank, blank)))
    .map((blanks) =>
      members.map(([key, value], index) => {
        const [a, b, c, d] = blanks[index] ?? ['', '', '', ''];
        return `${a}${key}${b}:${c}${value}${d}`;
      }),
    )
    .chain((texts) => blank.map((space) => `{${texts.join(',') || space}}`));
}
