import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { requestProblem } from '../../src/index.ts';

/** A schema for each issue code of zod, with the message each of its issues must have. */
const schemas: readonly [code: string, schema: z.ZodType, input: unknown, message: string][] = [
  ['invalid_type', z.string(), 1, 'Must be a string.'],
  ['invalid_type', z.number(), 'x', 'Must be a number.'],
  ['invalid_type', z.int(), 1.5, 'Must be an integer.'],
  ['invalid_type', z.boolean(), 'x', 'Must be a boolean.'],
  ['invalid_type', z.array(z.string()), 'x', 'Must be an array.'],
  ['invalid_type', z.strictObject({}), 'x', 'Must be an object.'],
  ['invalid_type', z.record(z.string(), z.string()), [], 'Must be an object.'],
  ['invalid_type', z.null(), 'x', 'Must be null.'],
  ['invalid_type', z.date(), 'x', 'Has the wrong type.'],
  ['invalid_value', z.enum(['a', 'b']), 'x', 'Must be one of: a, b.'],
  ['invalid_value', z.literal('a'), 'x', 'Must be a.'],
  ['too_small', z.string().min(1), '', 'Must not be empty.'],
  ['too_small', z.string().min(2), 'x', 'Must have at least 2 characters.'],
  ['too_small', z.array(z.string()).min(1), [], 'Must not be empty.'],
  ['too_small', z.array(z.string()).min(2), ['x'], 'Must have at least 2 items.'],
  ['too_small', z.number().min(2), 1, 'Must be at least 2.'],
  ['too_small', z.number().gt(2), 2, 'Must be greater than 2.'],
  ['too_big', z.string().max(2), 'xxx', 'Must not have more than 2 characters.'],
  ['too_big', z.array(z.string()).max(0), ['x'], 'Must not have more than 0 items.'],
  [
    'too_big',
    z.set(z.string()).max(0),
    new Set(['x']),
    'Must not have more than 0 different values.',
  ],
  ['too_big', z.number().max(2), 3, 'Must be at most 2.'],
  ['too_big', z.number().lt(2), 2, 'Must be less than 2.'],
  ['too_big', z.date().max(new Date(0)), new Date(1), 'Is too large.'],
  ['not_multiple_of', z.number().multipleOf(2), 3, 'Must be a multiple of 2.'],
  ['invalid_format', z.email(), 'x', 'Has the wrong format.'],
  ['invalid_format', z.email('Must be an e-mail address.'), 'x', 'Must be an e-mail address.'],
  [
    'invalid_union',
    z.union([z.string(), z.number(), z.boolean()]),
    null,
    'Must be a string, a number or a boolean.',
  ],
  [
    'invalid_union',
    z.union([z.string(), z.array(z.string())]),
    [1],
    'Does not have an allowed form.',
  ],
  ['invalid_key', z.record(z.string().min(2), z.string()), { x: '' }, 'Must not have this name.'],
  [
    'invalid_element',
    z.map(z.date(), z.string()),
    new Map([[new Date(), 1]]),
    'Has a value that is not allowed.',
  ],
  ['custom', z.string().refine(() => false), 'x', 'Is not valid.'],
  [
    'custom',
    z.string().refine(() => false, 'Must be in the future.'),
    'x',
    'Must be in the future.',
  ],
];

describe('the message of an issue', () => {
  it.each(schemas)('%s is our own', (code, schema, input, message) => {
    const issues = schema.safeParse(input).error?.issues ?? [];
    expect(issues.map((issue) => issue.code)).toContain(code);
    expect(requestProblem({ body: issues }).errors[0]?.message).toBe(message);
    expect(requestProblem({ query: issues }).errors[0]?.message).toBe(message);
  });

  it('is there for every code that zod has', () => {
    const known: Record<z.core.$ZodIssue['code'], true> = {
      invalid_type: true,
      too_big: true,
      too_small: true,
      invalid_format: true,
      not_multiple_of: true,
      unrecognized_keys: true,
      invalid_union: true,
      invalid_key: true,
      invalid_element: true,
      invalid_value: true,
      custom: true,
    };
    const tested = new Set(['unrecognized_keys', ...schemas.map(([code]) => code)]);
    expect([...tested].sort()).toEqual(Object.keys(known).sort());
  });
});
