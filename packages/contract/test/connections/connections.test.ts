import { describe, expect, it } from 'vitest';
import { setConnectionBodySchema } from '../../src/index.ts';
import { check } from '../shared/check.ts';

describe('storing a connection', () => {
  it.each([
    [{ token: 't' }, 'ok'],
    [{ fields: { key: 'k', port: 1, secure: true } }, 'ok'],
    [{ fields: { key: 'line\nline' } }, 'ok'],
    [{}, ['invalid_value /token']],
    [{ token: 't', fields: {} }, ['invalid_value /fields']],
    [{ token: '' }, ['too_small /token', 'invalid_format /token']],
    [{ token: null }, ['invalid_type /token']],
    [{ fields: { key: null } }, ['invalid_union /fields/key']],
    [{ fields: { key: { a: 1 } } }, ['invalid_union /fields/key']],
    [{ fields: { key: 'a\0' } }, ['invalid_value /fields/key']],
    [{ fields: { '': 'a' } }, ['invalid_key /fields/']],
    [{ fields: { 'a\0': 'a' } }, ['invalid_key /fields/a\0']],
    [{ fields: { ['n'.repeat(201)]: 'a' } }, [`invalid_key /fields/${'n'.repeat(201)}`]],
    [{ fields: { ['\u{1f600}'.repeat(200)]: 'a' } }, 'ok'],
    [{ fields: [] }, ['invalid_type /fields']],
    [{ accessToken: 't' }, ['unknown_field /accessToken', 'invalid_value /token']],
  ])('judges %j', (body, expected) => {
    expect(check(setConnectionBodySchema, body)).toEqual(expected);
  });

  it('takes at most 32 fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`f${index}`, 'x']));
    expect(check(setConnectionBodySchema, { fields })).toEqual(['invalid_value /fields']);
  });
});
