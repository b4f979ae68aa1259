import { credentialHeaders } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { toStoredCredential } from '../../src/credentials/credential-fields.ts';
import { checkCredentialSchema } from '../../src/credentials/credential-schema.ts';
import type { StoredCredential } from '../../src/credentials/outcome.ts';
import { ProblemError } from '../../src/platform/problem-error.ts';

const text = { type: 'string' };
const sole = { properties: { apiKey: text } };
const keyed = { properties: { apiKey: { ...text, 'x-header': 'X-Api-Key' } } };
const pair = {
  type: 'object',
  required: ['key', 'secret'],
  additionalProperties: false,
  properties: {
    key: { ...text, minLength: 3, 'x-header': 'X-Key' },
    secret: { ...text, pattern: '^s_', 'x-header': 'X-Secret', 'x-prefix': 'Secret ' },
    note: text,
    level: { type: 'integer', 'x-header': 'X-Level' },
  },
};

describe('accepting a credential', () => {
  it.each([
    ['no schema', null, { authorization: 'Bearer t0ken' }],
    ['a schema without properties', { description: 'anything' }, { authorization: 'Bearer t0ken' }],
    ['its only property', sole, { authorization: 'Bearer t0ken' }],
    ['its only property with a header', keyed, { 'x-api-key': 't0ken' }],
    [
      'the property named token',
      { properties: { token: { 'x-header': 'X-Token', ...text }, other: text } },
      { 'x-token': 't0ken' },
    ],
    [
      'the only required property',
      { required: ['b'], properties: { a: text, b: { 'x-header': 'X-B', ...text } } },
      { 'x-b': 't0ken' },
    ],
  ])('puts a token into %s', (_, schema, headers) => {
    expect(sent(schema, toStoredCredential(schema, { token: 't0ken' }))).toEqual(headers);
  });

  it.each([
    ['without a schema', null],
    ['of the only property', sole],
  ])('refuses white space in a bearer token %s', (_, schema) => {
    expect(pointersOf(() => toStoredCredential(schema, { token: 'two words' }))).toEqual([
      '/token',
    ]);
  });

  it.each([
    ['that has its own header', keyed],
    ['that has another prefix', { properties: { apiKey: { ...text, 'x-prefix': 'Basic ' } } }],
  ])('allows white space in a value %s', (_, schema) => {
    expect(toStoredCredential(schema, { token: 'two words' })).toEqual({ token: 'two words' });
  });

  it('asks for fields where the schema has no single place for a token', () => {
    expect(
      pointersOf(() => toStoredCredential({ properties: { a: text, b: text } }, { token: 't' })),
    ).toEqual(['/fields']);
    expect(pointersOf(() => toStoredCredential(pair, { token: 't' }))).toEqual(['/fields']);
    const also = { required: ['token', 'tenant'], properties: { token: text, tenant: text } };
    expect(pointersOf(() => toStoredCredential(also, { token: 't' }))).toEqual(['/fields']);
  });

  it.each([
    ['integer', '123', true],
    ['number', '-1.5e3', true],
    ['boolean', 'false', true],
    ['integer', '1.5', false],
    ['number', '0x10', false],
    ['number', ' 1', false],
    ['boolean', 'TRUE', false],
  ])('judges the token of a property of type %s: %s', (type, token, fits) => {
    const schema = { properties: { n: { type, 'x-header': 'X-N' } } };
    if (!fits) {
      expect(pointersOf(() => toStoredCredential(schema, { token }))).toEqual(['/token']);
      return;
    }
    expect(sent(schema, toStoredCredential(schema, { token }))).toEqual({ 'x-n': token });
  });

  it('sends fields as their schema says', () => {
    const fields = { key: 'k_1', secret: 's_1', note: 'Zoë', level: 3 };
    expect(sent(pair, toStoredCredential(pair, { fields }))).toEqual({
      'x-key': 'k_1',
      'x-secret': 'Secret s_1',
      'x-level': '3',
    });
  });

  it('stores unmarked properties of a larger schema without sending them', () => {
    const schema = { properties: { a: text, b: text } };
    expect(sent(schema, toStoredCredential(schema, { fields: { a: '1', b: '2' } }))).toEqual({});
  });

  it('uses the prefix of a sole property in place of Bearer', () => {
    const schema = { properties: { apiKey: { ...text, 'x-prefix': 'Token ' } } };
    expect(sent(schema, toStoredCredential(schema, { token: 'a' }))).toEqual({
      authorization: 'Token a',
    });
  });

  it.each([
    ['a missing field', { key: 'k_1' }, '/fields/secret'],
    ['a field too short', { key: 'k', secret: 's_1' }, '/fields/key'],
    ['a field that does not match', { key: 'k_1', secret: 'x' }, '/fields/secret'],
    ['a field of another type', { key: 'k_1', secret: 's_1', level: 'high' }, '/fields/level'],
    ['a field that is not described', { key: 'k_1', secret: 's_1', extra: 'x' }, '/fields'],
    ['a value no header can hold', { key: 'k_1\r\nx: y', secret: 's_1' }, '/fields'],
    ['a value with an outer blank', { key: ' k_1', secret: 's_1 ' }, '/fields'],
  ])('refuses %s', (_, fields, pointer) => {
    expect(pointersOf(() => toStoredCredential(pair, { fields }))).toEqual([pointer]);
  });

  it('refuses fields without a schema, and a token its property does not allow', () => {
    expect(pointersOf(() => toStoredCredential(null, { fields: { a: 'x' } }))).toEqual(['/fields']);
    const schema = { properties: { token: { ...text, pattern: '^ghp_' } } };
    expect(pointersOf(() => toStoredCredential(schema, { token: 'abc' }))).toEqual(['/token']);
  });

  it.each([
    ['required', { key: 'k_1' }, 'Required.'],
    ['minLength', { key: 'k', secret: 's_1' }, 'Must have at least 3 characters.'],
    ['pattern', { key: 'k_1', secret: 'x' }, 'Must match the pattern of the credential schema.'],
    ['type', { key: 'k_1', secret: 's_1', level: 'high' }, 'Must be an integer.'],
    [
      'additionalProperties',
      { key: 'k_1', secret: 's_1', extra: 'x' },
      'Must have only the fields of the credential schema.',
    ],
  ])('explains the keyword %s', (_, fields, message) => {
    const { errors } = errorOf(() => toStoredCredential(pair, { fields }));
    expect(errors.map((error) => error.message)).toEqual([message]);
  });

  it('quotes no value', () => {
    const error = errorOf(() =>
      toStoredCredential(pair, { fields: { key: 'k_1', secret: 'hunter2' } }),
    );
    expect(JSON.stringify([error.message, error.errors])).not.toContain('hunter2');
  });

  it('matches a value against patterns on which backtracking would never end', () => {
    const token = `${'a'.repeat(50)}!`;
    const schema = { properties: { token: { ...text, pattern: '^(a|a)*$|!$' } } };
    expect(sent(schema, toStoredCredential(schema, { token }))).toEqual({
      authorization: `Bearer ${token}`,
    });
  });

  it('gives up on references that multiply', () => {
    const steps = Array.from({ length: 60 }, (_, index) => {
      const $ref = `#/$defs/step${index + 1}`;
      return [`step${index}`, { allOf: [{ $ref }, { $ref }] }];
    });
    const $defs = { ...Object.fromEntries(steps), step60: text };
    const schema = { $defs, properties: { token: { $ref: '#/$defs/step0' } } };
    expect(checkCredentialSchema(schema)).toBeUndefined();
    expect(pointersOf(() => toStoredCredential(schema, { token: 'a' }))).toEqual(['/token']);
  });
});

describe('a stored credential under a changed schema', () => {
  it('is sent as the present schema says', () => {
    expect(sent(keyed, { token: 'a' })).toEqual({ 'x-api-key': 'a' });
    expect(sent(null, { fields: { apiKey: 'a' } })).toEqual({ authorization: 'Bearer a' });
  });

  it('does not fit when something required is missing or has no place', () => {
    expect(sent(pair, { token: 'a' })).toBeUndefined();
    expect(sent(pair, { fields: { key: 'k' } })).toBeUndefined();
    expect(sent(null, { fields: { a: 'x', b: 'y' } })).toBeUndefined();
    expect(sent(keyed, { fields: { apiKey: 'no\nheader' } })).toBeUndefined();
  });
});

describe('checkCredentialSchema', () => {
  it.each([
    sole,
    keyed,
    pair,
    {},
    { $defs: { s: text }, properties: { a: { $ref: '#/$defs/s', 'x-hint': 1 } } },
  ])('accepts %j', (schema) => expect(checkCredentialSchema(schema)).toBeUndefined());

  it.each([
    ['an unknown type', { properties: { a: { type: 'text' } } }],
    ['a keyword of the wrong type', { properties: { a: { ...text, minLength: 'x' } } }],
    ['a broken pattern', { properties: { a: { ...text, pattern: '(' } } }],
    ['a pattern that looks ahead', { properties: { a: { ...text, pattern: '^(?=a)' } } }],
    ['a pattern that refers back', { properties: { a: { ...text, pattern: '(a)\\1' } } }],
    ['a broken pattern deep inside', { $defs: { a: { not: { pattern: '(' } } } }],
    ['a broken pattern for names', { patternProperties: { '(': true } }],
    ['an id that is no text', { $id: 5 }],
    ['no object', true],
  ])('refuses %s', (_, schema) => {
    expect(pointersOf(() => checkCredentialSchema(schema))).toEqual(['/credentialSchema']);
  });

  it.each([
    'Host',
    'cookie',
    'Content-Type',
    'Origin',
    'Mcp-Session-Id',
    'Connection',
    'X-Forwarded-For',
    'not a name',
  ])('refuses the header %s', (header) => {
    const schema = { properties: { 'a/b': { ...text, 'x-header': header } } };
    expect(pointersOf(() => checkCredentialSchema(schema))).toEqual([
      '/credentialSchema/properties/a~1b/x-header',
    ]);
  });

  it('refuses two properties in one header', () => {
    const schema = {
      properties: { a: { ...text, 'x-header': 'X-A' }, b: { ...text, 'x-header': 'x-a' } },
    };
    expect(pointersOf(() => checkCredentialSchema(schema))).toEqual([
      '/credentialSchema/properties/b/x-header',
    ]);
  });
});

function sent(schema: unknown, credential: StoredCredential) {
  const headers = credentialHeaders(schema, credential);
  return headers && Object.fromEntries(headers);
}

function errorOf(act: () => unknown): ProblemError {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

function pointersOf(act: () => unknown): unknown[] {
  return errorOf(act).errors.map(({ pointer }) => pointer);
}
