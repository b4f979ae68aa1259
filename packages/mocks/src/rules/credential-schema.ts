import {
  credentialProperties,
  type JsonObject,
  type JsonValue,
  jsonPointer,
} from '@gatehouse/contract';
import { Refusal } from '../http/refusal.ts';

const isCount = (value: JsonValue) => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: JsonValue) => typeof value === 'number';
const isText = (value: JsonValue) => typeof value === 'string';
const isDistinctTexts = (value: JsonValue) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

/** Which values are valid for each keyword that the mocks know. */
const KEYWORDS: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  required: isDistinctTexts,
  additionalProperties: (value) => typeof value === 'boolean' || isSchema(value),
  enum: (value) => Array.isArray(value),
  minLength: isCount,
  maxLength: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  pattern: (value) => typeof value === 'string' && isPattern(value),
  title: isText,
  description: isText,
};

/**
 * Rejects a credential schema with an invalid keyword, or with two properties for the same header. The
 * contract has already checked its shape.
 *
 * @throws Refusal `validation_failed` at `/credentialSchema`
 */
export function checkCredentialSchema(schema: JsonObject): void {
  const properties = credentialProperties(schema);
  const isValid = [schema, ...properties.map(({ definition }) => definition)].every(isSchema);
  if (!isValid) throw invalidSchema('', 'Must be a valid JSON Schema 2020-12.');
  const seen = new Set<string>();
  for (const { name, header } of properties) {
    if (header === undefined) continue;
    if (seen.has(header)) {
      const pointer = jsonPointer(['properties', name, 'x-header']);
      throw invalidSchema(pointer, 'Must not be the header of another property.');
    }
    seen.add(header);
  }
}

function isSchema(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, given]) => KEYWORDS[name]?.(given) ?? true);
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function invalidSchema(pointer: string, message: string): Refusal {
  return new Refusal('validation_failed', 'The credential schema is not valid.', {
    errors: [{ pointer: `/credentialSchema${pointer}`, code: 'invalid', message }],
  });
}
