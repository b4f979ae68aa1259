import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import type { Work } from './work.ts';

/** A value of a field. */
export type FieldValue = string | number | boolean;
export type Fields = Readonly<Record<string, FieldValue>>;
/** What a schema is applied to: all fields, or one of them. */
export type Instance = FieldValue | Fields;

/** Whether a value fits a keyword. A keyword ignores values of types that it does not apply to. */
type ValueRule = (value: Instance, limit: JsonValue, work: Work) => boolean;

const TYPES: Readonly<Record<string, (value: Instance) => boolean>> = {
  object: (value) => typeof value === 'object',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
};

const numeric =
  (fits: (value: number, limit: number) => boolean): ValueRule =>
  (value, limit) =>
    typeof value !== 'number' || typeof limit !== 'number' || fits(value, limit);

const counted =
  (fits: (count: number, limit: number) => boolean): ValueRule =>
  (value, limit) =>
    typeof value !== 'string' || typeof limit !== 'number' || fits([...value].length, limit);

const sized =
  (fits: (count: number, limit: number) => boolean): ValueRule =>
  (value, limit) =>
    typeof value !== 'object' ||
    typeof limit !== 'number' ||
    fits(Object.keys(value).length, limit);

/** The keywords of JSON Schema 2020-12 that judge a value by itself, in the order in which they are applied. */
export const valueRules: Readonly<Record<string, ValueRule>> = {
  type: (value, limit) =>
    (Array.isArray(limit) ? limit : [limit]).some((type) => TYPES[String(type)]?.(value) ?? false),
  const: (value, limit) => isSame(value, limit),
  enum(value, limit, work) {
    if (!Array.isArray(limit)) return true;
    work.spend(limit.length);
    return limit.some((one) => isSame(value, one));
  },
  minLength: counted((count, limit) => count >= limit),
  maxLength: counted((count, limit) => count <= limit),
  pattern: (value, limit, work) =>
    typeof value !== 'string' || typeof limit !== 'string' || work.matches(limit, value),
  minimum: numeric((value, limit) => value >= limit),
  maximum: numeric((value, limit) => value <= limit),
  exclusiveMinimum: numeric((value, limit) => value > limit),
  exclusiveMaximum: numeric((value, limit) => value < limit),
  multipleOf: numeric((value, limit) => Number.isInteger(value / limit)),
  minProperties: sized((count, limit) => count >= limit),
  maxProperties: sized((count, limit) => count <= limit),
};

/** Fields are flat, so objects are the same when their fields are. */
function isSame(value: Instance, other: JsonValue): boolean {
  if (typeof value !== 'object') return value === other;
  if (!isJsonObject(other)) return false;
  const entries = Object.entries(value);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([name, field]) => Object.hasOwn(other, name) && field === other[name])
  );
}
