import { describe, expect, it } from 'vitest';
import { credentialSchemaSchema } from '../../src/index.ts';
import { check } from '../shared/check.ts';

const property = (value: unknown) =>
  check(credentialSchemaSchema, { properties: { token: value } });

describe('a credential schema', () => {
  it('may leave out its type, which reads as object, and keeps annotations', () => {
    const schema = {
      title: 'Key',
      'x-docs': { url: 'https://a.example' },
      properties: { key: { type: 'string', 'x-header': 'X-Api-Key', 'x-prefix': 'Token ' } },
      required: ['key'],
    };
    expect(credentialSchemaSchema.parse(schema)).toEqual(schema);
    expect(check(credentialSchemaSchema, {})).toBe('ok');
  });

  it.each(['string', 'number', 'integer', 'boolean'])('may have a %s property', (type) => {
    expect(property({ type })).toBe('ok');
  });

  it.each([
    [{ type: 'object' }, ['invalid_value /properties/token/type']],
    [{ type: 'array' }, ['invalid_value /properties/token/type']],
    [{ type: ['string', 'null'] }, ['invalid_value /properties/token/type']],
    [{}, ['invalid_value /properties/token/type']],
    [true, ['invalid_value /properties/token']],
    [{ $ref: '#/$defs/nothing' }, ['invalid_value /properties/token/$ref']],
    [{ $ref: 'https://evil.example/s' }, ['invalid_value /properties/token/$ref']],
    [{ type: 'string', default: { $ref: 'text' } }, 'ok'],
    [{ type: 'string', 'x-header': 'Host' }, ['invalid_value /properties/token/x-header']],
    [{ type: 'string', 'x-header': 5 }, ['invalid_value /properties/token/x-header']],
    [{ type: 'string', 'x-prefix': 'a\r\n' }, ['invalid_value /properties/token/x-prefix']],
  ])('judges the property %j', (value, expected) => {
    expect(property(value)).toEqual(expected);
  });

  it.each([
    ['#/$defs/key', 'ok'],
    ['#/$defs/again', 'ok'],
    ['#/$defs/a~1b~0c', 'ok'],
    ['#/$defs/object', 'refused'],
    ['#/$defs/toObject', 'refused'],
    ['#/$defs/round', 'refused'],
    ['#/$defs', 'refused'],
    ['#', 'refused'],
    ['#key', 'refused'],
  ])('follows the reference %s', ($ref, expected) => {
    const $defs = {
      key: { $anchor: 'key', type: 'string' },
      again: { $ref: '#/$defs/key' },
      'a/b~c': { type: 'boolean' },
      object: { type: 'object' },
      toObject: { $ref: '#/$defs/object' },
      round: { $ref: '#/properties/token' },
    };
    const judged = check(credentialSchemaSchema, { $defs, properties: { token: { $ref } } });
    expect(judged).toEqual(expected === 'ok' ? 'ok' : ['invalid_value /properties/token/$ref']);
  });

  it.each([
    [{ type: 'string' }, ['invalid_value /type']],
    [{ properties: [] }, ['invalid_value /properties']],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, ['invalid_value /$schema']],
    [{ $defs: { a: { $dynamicRef: 'other' } } }, ['invalid_value /$defs/a/$dynamicRef']],
    [{ $async: true }, ['invalid_value /$async']],
    [{ unevaluatedProperties: {} }, ['invalid_value /unevaluatedProperties']],
    [{ $defs: { a: { $id: 'https://a.example' } } }, ['invalid_value /$defs/a/$id']],
    [{ allOf: [{ $ref: '#/$defs/none' }] }, ['invalid_value /allOf/0/$ref']],
    [{ not: { $ref: 'https://a.example' } }, ['invalid_value /not/$ref']],
    [{ anyOf: Array(500).fill(true).concat({}) }, 'ok'],
    [{ anyOf: Array(500).fill({}) }, ['invalid_value ']],
    [{ $defs: { a: { pattern: 'a{1000}' }, b: { pattern: 'b{1000}' } } }, ['invalid_value ']],
    [{ patternProperties: { 'a{1000}a{1000}': true } }, ['invalid_value ']],
    [{ examples: [{ $ref: 'https://a.example' }], 'x-any': { $id: 'a' } }, 'ok'],
  ])('judges the schema %j', (schema, expected) => {
    expect(check(credentialSchemaSchema, schema)).toEqual(expected);
  });

  it('has at most 32 properties', () => {
    const properties = (count: number) => ({
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]),
      ),
    });
    expect(check(credentialSchemaSchema, properties(32))).toBe('ok');
    expect(check(credentialSchemaSchema, properties(33))).toEqual(['invalid_value /properties']);
  });
});
