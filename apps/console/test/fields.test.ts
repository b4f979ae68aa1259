import { expect, it } from 'vitest';
import { fieldsOf, flag, id, instant, oneOf, text } from '../src/api/fields.ts';

const read = fieldsOf({ name: text, only: flag, user: id, from: instant, kind: oneOf(['a', 'b']) });
const USER = '0199d0a0-0000-7000-8000-000000000001';

it('fields with values of their types are read, and others are left out', () => {
  const right = {
    name: 'x',
    only: true,
    user: USER,
    from: '2026-11-28T10:00Z',
    kind: 'b',
  } as const;
  expect(read({ ...right, other: 1 })).toEqual(right);
});

it('a value of another type is undefined but there, so that the router does not put it back', () => {
  const wrong = {
    name: 5,
    only: 'true',
    user: 'me',
    from: '2026-13-99T10:00Z',
    kind: 'constructor',
  };
  expect(Object.entries(read(wrong))).toEqual(Object.keys(wrong).map((name) => [name, undefined]));
});

it.each([undefined, null, 'text', 5, []])('nothing is read of %j', (outside) => {
  expect(read(outside)).toEqual({});
});
