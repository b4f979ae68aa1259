import {
  credentialProperties,
  type FieldsError,
  findFieldsError as findError,
  isCredentialHeader,
  isJsonObject,
  type JsonObject,
  jsonPointer,
  type PatternMatcher,
  refusalTexts,
  subschemas,
} from '@gatehouse/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS, RE2JSException } from 're2js';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Validates schemas against the meta-schema, which is compiled once. A caller's schema is only data:
 * compiling it would take unbounded time and register its `$id` for all schemas.
 */
const isJsonSchema = compileMetaSchema();

/**
 * Checks that a credential schema is valid JSON Schema 2020-12, that no pattern uses lookaround or
 * backreferences, and that no two properties are sent in the same header. The contract has already
 * checked its shape and size.
 *
 * @throws ProblemError `validation_failed` at `/credentialSchema`.
 */
export function checkCredentialSchema(schema: unknown): void {
  if (!isJsonObject(schema) || !isJsonSchema(schema) || !hasValidPatterns(schema)) {
    throw invalidSchema('/credentialSchema', refusalTexts.wrongSchema);
  }
  const seen = new Set<string>();
  for (const { name, header } of credentialProperties(schema)) {
    if (header === undefined) continue;
    const pointer = jsonPointer(['credentialSchema', 'properties', name, 'x-header']);
    if (!isCredentialHeader(header)) {
      throw invalidSchema(pointer, 'Must name a header that may carry a credential.');
    }
    if (seen.has(header))
      throw invalidSchema(pointer, 'Must not be the header of another property.');
    seen.add(header);
  }
}

/** Checks fields against a stored credential schema in limited time; `undefined` when they match. */
export function findFieldsError(
  schema: unknown,
  fields: Readonly<Record<string, string | number | boolean>>,
): FieldsError | undefined {
  try {
    if (isJsonObject(schema)) return findError(schema, fields, createPatternMatcher());
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
  }
  return { pointer: '', message: 'The credential schema is not valid.', isMissing: false };
}

function compileMetaSchema(): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const validate = ajv.getSchema('https://json-schema.org/draft/2020-12/schema');
  if (validate === undefined) throw new Error('ajv has no meta-schema of JSON Schema 2020-12.');
  return validate;
}

function hasValidPatterns(schema: JsonObject): boolean {
  try {
    for (const { schema: part } of subschemas(schema)) {
      const { pattern, patternProperties } = part;
      if (typeof pattern === 'string') compilePattern(pattern);
      if (isJsonObject(patternProperties)) {
        for (const name of Object.keys(patternProperties)) compilePattern(name);
      }
    }
    return true;
  } catch {
    return false;
  }
}

function invalidSchema(pointer: string, message: string): ProblemError {
  return new ProblemError('validation_failed', 'The credential schema is not valid.', {
    errors: [{ pointer, code: 'invalid', message }],
  });
}

/**
 * Compiles a pattern of a credential schema. Administrators write the patterns and users choose the
 * values. RE2 takes linear time for every pattern, where `RegExp` may backtrack for ever; the contract
 * bounds the size of the patterns.
 *
 * @throws Error for what is not a pattern, and for lookaround and backreferences
 */
function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** Compiles each pattern once, however often it is used. */
function createPatternMatcher(): PatternMatcher {
  const compiled = new Map<string, RE2JS>();
  return (pattern, text) => {
    const known = compiled.get(pattern) ?? compilePattern(pattern);
    compiled.set(pattern, known);
    return known.test(text);
  };
}
