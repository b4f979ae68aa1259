import { describe, expect, it } from 'vitest';
import {
  canSendToken,
  credentialProperties,
  credentialPropertyKeyword,
  tokenProperty,
} from '../../src/index.ts';

const tokenPropertyOf = (properties: Record<string, unknown>, required: string[] = []) =>
  tokenProperty(credentialProperties({ properties, required }))?.name;

describe('the properties of a credential schema', () => {
  it('are empty without a schema and in a schema without properties', () => {
    for (const schema of [null, undefined, 'x', {}, { properties: [] }]) {
      expect(credentialProperties(schema)).toEqual([]);
    }
  });

  it('have a type, also behind a reference, and the header in lower case', () => {
    const schema = {
      properties: { key: { $ref: '#/$defs/key', 'x-header': 'X-Api-Key', 'x-prefix': 'Token ' } },
      $defs: { key: { type: 'integer' } },
      required: ['key'],
    };
    expect(credentialProperties(schema)).toEqual([
      {
        name: 'key',
        definition: schema.properties.key,
        type: 'integer',
        isRequired: true,
        header: 'x-api-key',
        prefix: 'Token ',
      },
    ]);
  });
});

describe('the property that a token fills', () => {
  it.each([
    ['the only one', tokenPropertyOf({ key: {} }), 'key'],
    ['the one named token', tokenPropertyOf({ key: {}, token: {} }, ['key']), 'token'],
    ['the only required one', tokenPropertyOf({ key: {}, region: {} }, ['key']), 'key'],
    ['no match of two', tokenPropertyOf({ key: {}, region: {} }), undefined],
    ['two required', tokenPropertyOf({ a: {}, b: {} }, ['a', 'b']), undefined],
    ['an empty schema', tokenPropertyOf({}), undefined],
  ])('is %s', (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

describe('a single token', () => {
  const key = { type: 'string', 'x-header': 'X-Api-Key' };
  const text = { type: 'string' };

  it.each<[string, unknown]>([
    ['there is no schema', null],
    ['the schema has no properties', { properties: {} }],
    ['the only property has no header', { properties: { a: text } }],
    ['the property it fills has a header', { properties: { token: key, region: text } }],
    ['that property alone is required', { properties: { a: key, b: text }, required: ['a'] }],
  ])('can be sent when %s', (_, schema) => {
    expect(canSendToken(schema)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['it fills no property', { properties: { a: key, b: text } }],
    ['two are required', { properties: { a: key, b: text }, required: ['a', 'b'] }],
    ['another is required', { properties: { token: key, b: text }, required: ['b'] }],
    ['its property is one of several without a header', { properties: { token: text, b: key } }],
    ['its prefix begins with a space', { properties: { a: { ...key, 'x-prefix': ' x' } } }],
  ])('cannot be sent when %s', (_, schema) => {
    expect(canSendToken(schema)).toBe(false);
  });
});

describe('what a property says under a keyword', () => {
  const schema = {
    $defs: {
      key: { type: 'string', title: 'Key', description: 'Long.' },
      alias: { $ref: '#/$defs/key', description: 'Short.' },
      loop: { $ref: '#/$defs/loop' },
    },
  };
  const titleOf = (property: Record<string, string>, keyword = 'title') =>
    credentialPropertyKeyword(schema, property, keyword);

  it('is its own, else that of what it refers to, however far', () => {
    expect(titleOf({ title: 'Own', $ref: '#/$defs/key' })).toBe('Own');
    expect(titleOf({ $ref: '#/$defs/alias' })).toBe('Key');
    expect(titleOf({ $ref: '#/$defs/alias' }, 'description')).toBe('Short.');
  });

  it('is nothing where nothing is said, and in a circle', () => {
    for (const $ref of ['#/$defs/loop', '#/$defs/none', 'https://example.com/key']) {
      expect(titleOf({ $ref })).toBeUndefined();
    }
    expect(titleOf({ type: 'string' })).toBeUndefined();
    expect(credentialPropertyKeyword(null, { $ref: '#/$defs/key' }, 'title')).toBeUndefined();
    expect(titleOf({}, 'constructor')).toBeUndefined();
  });
});
