import fc from 'fast-check';

export const blank = fc.constantFrom('', '', '', ' ', '\n', '\t\r ');
const tricky = fc.constantFrom(
  '\\',
  '"',
  '\\"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\u0000',
  'é',
  '\u{1f600}',
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(tricky, { maxLength: 90 }).map((parts) => parts.join('')),
);
const number = fc.constantFrom('0', '-0', '7', '1.50e+3', '-2E-9', '12345678901234567890');
/** A string literal with some of its characters escaped that need not be. */
export const literal = fc
  .tuple(
    fc.oneof(text, fc.constantFrom('id', 'method', 'ID', 'id ')),
    fc.array(fc.boolean(), { maxLength: 8 }),
  )
  .map(([value, escapes]) => {
    const units = [...value].map((unit, index) => {
      const code = unit.charCodeAt(0);
      if (!escapes[index] || unit.length > 1) return JSON.stringify(unit).slice(1, -1);
      return `\\u${code.toString(16).padStart(4, '0')}`;
    });
    return `"${units.join('')}"`;
  });
const deep = fc.nat(300).map((depth) => `${'[{"id":'.repeat(depth)}1${'}]'.repeat(depth)}`);
const { value, message } = fc.letrec<{ value: string; members: string; message: string }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      number,
      fc.constantFrom('true', 'false', 'null'),
      literal,
      deep,
      tie('message'),
      fc
        .array(
          fc.tuple(blank, tie('value'), blank).map((parts) => parts.join('')),
          { maxLength: 4 },
        )
        .map((items) => `[${items.join(',')}]`),
    ),
    members: fc
      .array(
        fc
          .tuple(
            blank,
            fc.oneof(fc.constantFrom('"id"', '"method"', '"\\u0069d"', '"m\\u0065thod"'), literal),
            blank,
            blank,
            tie('value'),
            blank,
          )
          .map(([a, key, b, c, member, d]) => `${a}${key}${b}:${c}${member}${d}`),
        { maxLength: 6 },
      )
      .map((members) => members.join(',')),
    message: fc.tuple(tie('members'), blank).map(([members, space]) => `{${members || space}}`),
  }),
);
const batch = fc.array(fc.oneof(message, value)).map((items) => `[${items.join(',')}]`);
/** A body of JSON, as bytes. */
export const body = fc
  .tuple(blank, fc.oneof(message, batch, value), blank)
  .map(([before, inner, after]) => Buffer.from(`${before}${inner}${after}`));

/** Bytes with a few of them replaced. */
export const spoiled = fc
  .tuple(body, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }))
  .map(([bytes, spots]) => {
    for (const [at, byte] of spots) if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  });

export { message };
