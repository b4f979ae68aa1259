import fc from 'fast-check';
import { blank, literal, message } from '../support/json-arbitrary.ts';

/** A key and its value, as JSON. */
type Member = readonly [key: string, value: string];

/** What an entry has as `_meta`: members, another value, or undefined for nothing. */
type Meta = readonly Member[] | string | undefined;

export interface DrawnEntry {
  readonly name: string;
  readonly members: readonly Member[];
  readonly meta: Meta;
  /** Whether `_meta` comes before all other members, or after them. */
  readonly isMetaFirst: boolean;
  readonly space: string;
}

const value = fc.oneof(
  fc.constantFrom('12345678901234567890', '-1.50e+3', 'null', '[ ]', '{"name":"a","_meta":{}}'),
  literal,
  message,
);
const member = fc.tuple(
  fc.constantFrom('"description"', '"inputSchema"', '"title"', '"names"', '"\\u0078"', '"x"'),
  value,
);

/** Keys that no parser takes for ours. */
const otherKeys = fc.constantFrom('"gatehouse"', '"gatehouse-x/"', '"x.gatehouse/"', '""', '"k"');

/** Keys that an upstream may not have. */
export const keysLikeOurs = [
  '"gatehouse/integration"',
  '"gatehouse/"',
  '"gatehouse/x"',
  '"Gatehouse/Integration"',
  '"\\u0067atehouse/x"',
  '"gate\\u0000house/x"',
  '"\\u0000gatehouse\\/x"',
  '"gatehou\u017fe/x"',
] as const;

const metaMember = fc.tuple(otherKeys, value);
const meta: fc.Arbitrary<Meta> = fc.oneof(
  fc.constantFrom(undefined, 'null', '"x"', '[]', '7', '[{"gatehouse/integration":1}]'),
  fc.array(metaMember, { maxLength: 3 }),
);

/** An entry without keys like ours. */
export const entry: fc.Arbitrary<DrawnEntry> = fc.record({
  name: fc.oneof(
    fc.constantFrom('a', 'a b', 'list_projects', 'é"\\'),
    fc.string({ unit: 'grapheme' }),
  ),
  members: fc.array(member, { maxLength: 3 }),
  meta,
  isMetaFirst: fc.boolean(),
  space: blank,
});

/** The same entry with a few keys like ours in its `_meta`. */
export const withKeysLikeOurs = fc
  .tuple(
    entry,
    fc.array(metaMember, { maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...keysLikeOurs), value), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([drawn, members, forged]) => {
    const all: Member[] = [...members];
    for (const [at, key, text] of forged) all.splice(at, 0, [key, text]);
    return { plain: { ...drawn, meta: members }, forged: { ...drawn, meta: all } };
  });

export function print({ name, members, meta: own, isMetaFirst, space }: DrawnEntry): string {
  const text = typeof own === 'object' ? printMembers(own, space) : own;
  const metas: readonly Member[] = text === undefined ? [] : [['"_meta"', text]];
  const named: Member = ['"name"', JSON.stringify(name)];
  const [first, ...rest] = members;
  const middle = first === undefined ? [named] : [first, named, ...rest];
  return printMembers(isMetaFirst ? [...metas, ...middle] : [...middle, ...metas], space);
}

function printMembers(members: readonly Member[], space: string): string {
  const inner = members.map(([key, text]) => `${space}${key}${space}:${space}${text}${space}`);
  return `{${inner.join(',') || space}}`;
}
