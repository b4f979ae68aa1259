import fc from 'fast-check';
import * as z from 'zod';
import { knownFields, knownSchema } from './known-schemas.ts';

type Arbitrary = fc.Arbitrary<unknown>;

/** Present a little less often than not. */
const OPTIONAL_FREQUENCY = 3;

/** In a row. */
const MAX_REFUSED = 10_000;

/**
 * What fits a schema of the contract, as a request would carry it. Rules that are code narrow it
 * afterwards, so every value is accepted by the schema.
 *
 * @throws Error for a kind of schema that no request of the contract has, and while generating when
 *   nothing fits: fast-check itself would try for ever
 */
export function arbitraryOf(schema: z.core.$ZodType): Arbitrary {
  let refused = 0;
  return walk(schema).filter((value) => {
    const { success, error } = z.safeParse(schema, value);
    refused = success ? 0 : refused + 1;
    if (refused > MAX_REFUSED) throw new Error(`Nothing generated fits: ${error?.message}`);
    return success;
  });
}

function walk(schema: z.core.$ZodType): Arbitrary {
  const known = knownSchema(schema);
  if (known) return known;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectOf(def.shape);
    case 'string':
      return textOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'array':
      return fc.array(walk(def.element), { maxLength: 5 });
    case 'record':
      return fc.dictionary(walk(def.keyType) as fc.Arbitrary<string>, walk(def.valueType), {
        maxKeys: 4,
      });
    case 'union':
      return fc.oneof(...def.options.map(walk));
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.option(walk(def.innerType), { nil: undefined, freq: OPTIONAL_FREQUENCY });
    case 'nullable':
      return fc.option(walk(def.innerType), { nil: null });
    case 'pipe':
      return walk(isTransform(def.in) ? def.out : def.in);
    case 'custom':
      return jsonObject;
    default:
      throw new Error(
        `No request of the contract has had a schema of the type ${def.type} so far.`,
      );
  }
}

function isTransform(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'transform';
}

function objectOf(shape: z.core.$ZodShape): Arbitrary {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    knownFields[name] ?? walk(field),
  ]);
  return fc.record(Object.fromEntries(fields)).map(withoutUndefined);
}

function withoutUndefined(value: object): unknown {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

const jsonObject = fc.oneof(
  fc.record(
    { tools: fc.jsonValue(), resources: fc.jsonValue(), prompts: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue(), { maxKeys: 5 }),
);

const LINES = ['Issue tracker', 'A', ' padded ', '%_\\', '"x"', "o'); DROP TABLE", '😀é', '\u202e'];

function textOf(schema: z.core.$ZodType): Arbitrary {
  const { bag } = schema._zod as z.core.$ZodStringInternals<unknown>;
  if (bag.format === 'datetime') return futureInstant;
  const [pattern] = bag.patterns ?? [];
  if (pattern) return fc.stringMatching(pattern);
  const maxLength = Math.min(bag.maximum ?? 40, 40);
  const minLength = bag.minimum ?? 0;
  return fc.oneof(
    fc.constantFrom(...LINES),
    fc.string({ unit: 'grapheme', minLength, maxLength }),
    fc.string({ minLength, maxLength }),
  );
}

const futureInstant = fc
  .date({ min: new Date('2031-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
