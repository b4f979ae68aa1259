import {
  credentialProperties,
  type JsonObject,
  type JsonValue,
  jsonPointer,
} from '@gatehouse/contract';
import { isSameJson } from './equal.ts';

type Fields = Readonly<Record<string, string | number | boolean>>;
type Value = string | number | boolean;

/** What a schema says against a set of fields. */
export interface FieldsFault {
  /** RFC 6901 pointer into the fields. */
  readonly pointer: string;
  readonly message: string;
  /** The field at `pointer` is not there. */
  readonly isMissing: boolean;
}

const TYPES: Readonly<Record<string, (value: Value) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
};

/** Each keyword the mock knows; a value of another type than the keyword is about always fits. */
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

/** The first thing a credential schema says against fields, by the simple keywords alone. */
export function findFault(schema: JsonObject, fields: Fields): FieldsFault | undefined {
  return findMissing(schema, fields) ?? findForeign(schema, fields) ?? findUnfit(schema, fields);
}

function findMissing({ required }: JsonObject, fields: Fields): FieldsFault | undefined {
  const names = Array.isArray(required) ? required.map(String) : [];
  const missing = names.find((name) => !Object.hasOwn(fields, name));
  if (missing === undefined) return undefined;
  return { pointer: jsonPointer([missing]), message: 'Required.', isMissing: true };
}

function findForeign(schema: JsonObject, fields: Fields): FieldsFault | undefined {
  if (schema.additionalProperties !== false) return undefined;
  const known = new Set(credentialProperties(schema).map(({ name }) => name));
  if (Object.keys(fields).every((name) => known.has(name))) return undefined;
  const message = 'Value must NOT have additional properties.';
  return { pointer: '', message, isMissing: false };
}

function findUnfit(schema: JsonObject, fields: Fields): FieldsFault | undefined {
  for (const { name, definition } of credentialProperties(schema)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined) continue;
    const broken = Object.entries(definition).find(
      ([keyword, limit]) => !(RULES[keyword]?.(value, limit) ?? true),
    );
    if (!broken) continue;
    const message = `Value does not fit ${broken[0]}.`;
    return { pointer: jsonPointer([name]), message, isMissing: false };
  }
  return undefined;
}
