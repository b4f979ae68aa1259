import {
  credentialProperties,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  refusalTexts,
  subschemas,
} from '@gatehouse/contract';
import { Refusal } from '../http/refusal.ts';

const isCount = (value: JsonValue) => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: JsonValue) => typeof value === 'number';
const isText = (value: JsonValue) => typeof value === 'string';
const isSchema = (value: JsonValue) => typeof value === 'boolean' || isJsonObject(value);
const isSchemaList = (value: JsonValue) =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isMapOf = (fits: (value: JsonValue) => boolean) => (value: JsonValue) =>
  isJsonObject(value) && Object.values(value).every(fits);
const isDistinctTexts = (value: JsonValue) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

const SCHEMA_KEYWORDS = ['additionalProperties', 'else', 'if', 'not', 'propertyNames', 'then'];

/** Which values are valid for each keyword that the mocks know. */
const KEYWORDS: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  ...Object.fromEntries(SCHEMA_KEYWORDS.map((keyword) => [keyword, isSchema])),
  required: isDistinctTexts,
  dependentRequired: isMapOf(isDistinctTexts),
  properties: isMapOf(isSchema),
  patternProperties: (value) =>
    isMapOf(isSchema)(value) && isJsonObject(value) && Object.keys(value).every(isPattern),
  dependentSchemas: isMapOf(isSchema),
  $defs: isMapOf(isSchema),
  allOf: isSchemaList,
  anyOf: isSchemaList,
  oneOf: isSchemaList,
  $id: isText,
  $ref: isText,
  $comment: isText,
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
  const isValid = [...subschemas(schema)].every(({ schema: part }) => hasValidKeywords(part));
  if (!isValid) throw invalidSchema('', refusalTexts.wrongSchema);
  const seen = new Set<string>();
  for (const { name, header } of credentialProperties(schema)) {
    if (header === undefined) continue;
    if (seen.has(header)) {
      const pointer = jsonPointer(['properties', name, 'x-header']);
      throw invalidSchema(pointer, 'Must not be the header of another property.');
    }
    seen.add(header);
  }
}

function hasValidKeywords(schema: JsonObject): boolean {
  return Object.entries(schema).every(([name, given]) => KEYWORDS[name]?.(given) ?? true);
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
