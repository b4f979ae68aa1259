import {
  credentialErrorMessage,
  credentialProperties,
  type JsonObject,
  type JsonValue,
  jsonPointer,
} from '@gatehouse/contract';
import { isSameJson } from './equal.ts';

type Fields = Readonly<Record<string, string | number | boolean>>;
type Value = string | number | boolean;

/** An error that a credential schema finds in a set of fields. */
export interface FieldsError {
  /** RFC 6901 pointer into the fields. */
  readonly pointer: string;
  readonly message: string;
  /** The field at `pointer` is missing. */
  readonly isMissing: boolean;
}

const TYPES: Readonly<Record<string, (value: Value) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
};

/** The keywords that the mocks know. A keyword ignores values of types that it does not apply to. */
const RULES: Readonly<Record<string, (value: Value, limit: JsonValue) => boolean>> = {
  type: (value, limit) => TYPES[String(limit)]?.(value) ?? true,
  const: (value, limit) => isSameJson(value, limit),
  enum: (value, limit) => Array.isArray(limit) && limit.some((one) => isSameJson(one, value)),
  minLength: (value, limit) => typeof value !== 'string' || [...value].length >= Number(limit),
  maxLength: (value, limit) => typeof value !== 'string' || [...value].length <= Number(limit),
  pattern: (value, limit) =>
    typeof value !== 'string' || new RegExp(String(limit), 'u').test(value),
  minimum: (value, limit) => typeof value !== 'number' || value >= Number(limit),
  maximum: (value, limit) => typeof value !== 'number' || value <= Number(limit),
  exclusiveMinimum: (value, limit) => typeof value !== 'number' || value > Number(limit),
  exclusiveMaximum: (value, limit) => typeof value !== 'number' || value < Number(limit),
  multipleOf: (value, limit) =>
    typeof value !== 'number' || Number.isInteger(value / Number(limit)),
};

/** The first error of fields under a credential schema, checked by the simple keywords only. */
export function findError(schema: JsonObject, fields: Fields): FieldsError | undefined {
  return findMissing(schema, fields) ?? findUnknown(schema, fields) ?? findInvalid(schema, fields);
}

function findMissing({ required }: JsonObject, fields: Fields): FieldsError | undefined {
  const names = Array.isArray(required) ? required.map(String) : [];
  const missing = names.find((name) => !Object.hasOwn(fields, name));
  if (missing === undefined) return undefined;
  return {
    pointer: jsonPointer([missing]),
    message: credentialErrorMessage('required', missing),
    isMissing: true,
  };
}

function findUnknown(schema: JsonObject, fields: Fields): FieldsError | undefined {
  if (schema.additionalProperties !== false) return undefined;
  const known = new Set(credentialProperties(schema).map(({ name }) => name));
  if (Object.keys(fields).every((name) => known.has(name))) return undefined;
  const message = credentialErrorMessage('additionalProperties', false);
  return { pointer: '', message, isMissing: false };
}

function findInvalid(schema: JsonObject, fields: Fields): FieldsError | undefined {
  for (const { name, definition } of credentialProperties(schema)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined) continue;
    const broken = Object.entries(definition).find(
      ([keyword, limit]) => !(RULES[keyword]?.(value, limit) ?? true),
    );
    if (!broken) continue;
    const message = credentialErrorMessage(...broken);
    return { pointer: jsonPointer([name]), message, isMissing: false };
  }
  return undefined;
}
