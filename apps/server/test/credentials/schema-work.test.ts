import { describe, expect, it } from 'vitest';
import { toStoredCredential } from '../../src/credentials/credential-fields.ts';
import { checkCredentialSchema } from '../../src/credentials/credential-schema.ts';
import { ProblemError } from '../../src/platform/problem-error.ts';

/** Milliseconds of this process. What is tested takes up to 50 on a free machine, and took seconds. */
const BOUND = 500;

const text = { type: 'string' };
const properties = { token: text };
const META = 'https://json-schema.org/draft/2020-12/';

function numbered<Value>(count: number, prefix: string, value: (index: number) => Value) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value(index)]),
  );
}

describe('a schema that a caller writes', () => {
  it.each(['schema', 'meta/core', 'meta/applicator', 'meta/validation', 'meta/unevaluated'])(
    'changes no other schema, though its id is that of the meta-schema %s',
    (name) => {
      checkCredentialSchema({ $id: META + name, not: {}, $dynamicAnchor: 'meta', properties });
      expect(() => checkCredentialSchema({ properties })).not.toThrow();
      expect(() => checkCredentialSchema({ required: 'token' })).toThrow(ProblemError);
      expect(toStoredCredential({ properties }, { token: 'a' })).toEqual({ token: 'a' });
    },
  );

  it('may have the same id as another schema', () => {
    for (const minLength of [1, 2]) {
      const schema = { $id: 'https://a.example/s', properties: { token: { ...text, minLength } } };
      checkCredentialSchema(schema);
      const connect = () => toStoredCredential(schema, { token: 'a' });
      if (minLength === 1) expect(connect()).toEqual({ token: 'a' });
      else expect(connect).toThrow(ProblemError);
    }
  });
});

/** The shapes that took seconds. Those that a write refuses today may still be stored. */
const expensive: Record<string, object> = {
  'many references to a large definition': {
    $defs: { big: { properties: numbered(200, 'p', () => ({ minLength: 1 })) } },
    properties,
    allOf: Array(300).fill({ $ref: '#/$defs/big' }),
  },
  'references that multiply': {
    $defs: {
      ...numbered(40, 's', (index) => {
        const $ref = `#/$defs/s${index + 1}`;
        return { allOf: [{ $ref }, { $ref }] };
      }),
      s40: text,
    },
    properties: { token: { ...text, $ref: '#/$defs/s0' } },
  },
  'a reference to itself': { properties, $defs: { a: {} }, $ref: '#' },
  'references in a circle under many keywords': {
    properties,
    $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { not: { $ref: '#/$defs/a' } }] } },
    $ref: '#/$defs/a',
  },
  'a long reference, often': {
    $defs: { ['x'.repeat(5_000)]: { anyOf: Array(900).fill({}) }, a: {} },
    properties,
    allOf: Array(30).fill({ anyOf: [{ $ref: `#/$defs/${'x'.repeat(5_000)}` }] }),
  },
  'patterns of many states': {
    properties: { token: { ...text, pattern: '\\p{L}{1000}'.repeat(80) } },
  },
  'a pattern that moves many states over each character': {
    properties: { token: { ...text, pattern: `${'(.*a.*b){200}'.repeat(2)}$` } },
  },
  'many Unicode classes': {
    properties: { token: { ...text, pattern: '[^\\p{L}]'.repeat(1_500) } },
  },
  'a long enumeration, often': {
    $defs: { e: { enum: Array(3_000).fill('x') } },
    properties: { token: { ...text, anyOf: Array(200).fill({ $ref: '#/$defs/e' }) } },
  },
  'lengths, often': {
    $defs: { l: { minLength: 9_000 } },
    properties: { token: { ...text, anyOf: Array(600).fill({ $ref: '#/$defs/l' }) } },
  },
  'deep nesting': {
    properties,
    not: JSON.parse(`${'{"not":'.repeat(2_000)}{}${'}'.repeat(2_000)}`),
  },
};

describe('the work for one schema', () => {
  it.each(Object.entries(expensive))('is bounded for %s', (_, schema) => {
    const before = process.cpuUsage();
    for (const token of ['ab'.repeat(4_000), 'x', '\u{1f600}'.repeat(2_000)]) {
      try {
        toStoredCredential(schema, { token });
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
      }
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3 * BOUND);
  });

  it('is little for the schemas of real forms', () => {
    const schema = {
      properties: {
        key: { ...text, pattern: '^sk-[A-Za-z0-9_-]{20,500}$', 'x-header': 'X-Key' },
        certificate: {
          ...text,
          pattern: '^-----BEGIN [A-Z ]+-----[\\s\\S]+-----END [A-Z ]+-----$',
        },
        id: { ...text, pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
      },
      required: ['key', 'certificate', 'id'],
    };
    const fields = {
      key: `sk-${'aZ09'.repeat(100)}`,
      certificate: `-----BEGIN PRIVATE KEY-----${'MIIE'.repeat(900)}-----END PRIVATE KEY-----`,
      id: crypto.randomUUID(),
    };
    checkCredentialSchema(schema);
    expect(toStoredCredential(schema, { fields })).toEqual({ fields });
  });
});
