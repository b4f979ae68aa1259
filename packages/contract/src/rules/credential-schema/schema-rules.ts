import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { jsonPointer } from '../../shared/json-pointer.ts';
import { resolveReference } from '../json-reference.ts';
import { type Instance, valueRules } from './value-rules.ts';
import type { Work } from './work.ts';

/** Where fields break a schema. */
export interface Failure {
  /** RFC 6901 pointer into the fields. */
  readonly pointer: string;
  readonly keyword: string;
  readonly limit: JsonValue;
}

/** One application of a schema to all fields (`pointer` is empty) or to one of them. */
export interface Application {
  readonly root: JsonObject;
  readonly work: Work;
  readonly pointer: string;
  readonly value: Instance;
}

type SchemaRule = (
  application: Application,
  limit: JsonValue,
  schema: JsonObject,
) => Failure | undefined;

/** Characters of a reference that one unit of work follows. */
const REFERENCE_PER_UNIT = 16;

/** The first failure of a schema, or `undefined`. Annotations and unknown keywords have no effect. */
export function findFailure(application: Application, schema: JsonValue): Failure | undefined {
  const { work, pointer, value } = application;
  work.spend(1);
  if (schema === false) return { pointer, keyword: 'false schema', limit: false };
  if (!isJsonObject(schema)) return undefined;
  return work.nested(() => {
    for (const keyword of Object.keys(valueRules)) {
      const limit = ownValue(schema, keyword);
      if (limit === undefined) continue;
      work.spend(1);
      if (typeof value === 'string') work.spendOnText(value);
      if (!valueRules[keyword]?.(value, limit, work)) return { pointer, keyword, limit };
    }
    for (const [keyword, rule] of Object.entries(schemaRules)) {
      const limit = ownValue(schema, keyword);
      const failure = limit === undefined ? undefined : rule(application, limit, schema);
      if (failure !== undefined) return failure;
    }
    return undefined;
  });
}

/** The keywords that apply other schemas or relate fields, in the order in which they are applied. */
const schemaRules: Readonly<Record<string, SchemaRule>> = {
  required: (application, limit) => missingField(application, limit),

  dependentRequired(application, limit) {
    for (const [name, names] of givenEntries(application, limit)) {
      const failure = hasField(application, name) ? missingField(application, names) : undefined;
      if (failure !== undefined) return failure;
    }
    return undefined;
  },

  additionalProperties(application, limit, schema) {
    const { value, pointer } = application;
    if (typeof value !== 'object') return undefined;
    const names = Object.keys(value).filter((name) => !isDescribed(application, schema, name));
    if (limit === false && names.length > 0) {
      return { pointer, keyword: 'additionalProperties', limit };
    }
    return firstOf(names, (name) => fieldFailure(application, name, limit));
  },

  properties: (application, limit) =>
    firstOf(givenEntries(application, limit), ([name, schema]) =>
      fieldFailure(application, name, schema),
    ),

  patternProperties: (application, limit) =>
    firstOf(givenEntries(application, limit), ([pattern, schema]) =>
      firstOf(namesOf(application), (name) =>
        application.work.matches(pattern, name)
          ? fieldFailure(application, name, schema)
          : undefined,
      ),
    ),

  propertyNames: (application, limit) =>
    firstOf(namesOf(application), (name) =>
      findFailure({ ...application, value: name }, limit) === undefined
        ? undefined
        : { pointer: application.pointer, keyword: 'propertyNames', limit },
    ),

  dependentSchemas: (application, limit) =>
    firstOf(givenEntries(application, limit), ([name, schema]) =>
      hasField(application, name) ? findFailure(application, schema) : undefined,
    ),

  $ref(application, limit) {
    const { root, work, pointer } = application;
    const reference = String(limit);
    work.spend(Math.ceil(reference.length / REFERENCE_PER_UNIT));
    const target = resolveReference(root, reference);
    return target === undefined
      ? { pointer, keyword: '$ref', limit }
      : findFailure(application, target);
  },

  allOf: (application, limit) =>
    firstOf(listOf(limit), (schema) => findFailure(application, schema)),

  anyOf: (application, limit) =>
    listOf(limit).some((schema) => findFailure(application, schema) === undefined)
      ? undefined
      : { pointer: application.pointer, keyword: 'anyOf', limit },

  oneOf: (application, limit) =>
    listOf(limit).filter((schema) => findFailure(application, schema) === undefined).length === 1
      ? undefined
      : { pointer: application.pointer, keyword: 'oneOf', limit },

  not: (application, limit) =>
    findFailure(application, limit) === undefined
      ? { pointer: application.pointer, keyword: 'not', limit }
      : undefined,

  if(application, limit, schema) {
    const branch = findFailure(application, limit) === undefined ? 'then' : 'else';
    return findFailure(application, ownValue(schema, branch) ?? true);
  },
};

function missingField(application: Application, names: JsonValue): Failure | undefined {
  if (typeof application.value !== 'object') return undefined;
  const list = listOf(names);
  application.work.spend(list.length);
  const missing = list.find((name) => !hasField(application, String(name)));
  if (missing === undefined) return undefined;
  const pointer = application.pointer + jsonPointer([String(missing)]);
  return { pointer, keyword: 'required', limit: missing };
}

/** The failure of one field, if it is given. */
function fieldFailure(application: Application, name: string, schema: JsonValue) {
  const { value, pointer } = application;
  const field = typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;
  if (field === undefined) return undefined;
  const place = { ...application, value: field, pointer: pointer + jsonPointer([name]) };
  return findFailure(place, schema);
}

function isDescribed(application: Application, schema: JsonObject, name: string): boolean {
  const properties = ownValue(schema, 'properties');
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return true;
  return givenEntries(application, ownValue(schema, 'patternProperties')).some(([pattern]) =>
    application.work.matches(pattern, name),
  );
}

/** The entries of a keyword that names fields. */
function givenEntries({ work }: Application, limit: JsonValue | undefined): [string, JsonValue][] {
  const entries = isJsonObject(limit) ? Object.entries(limit) : [];
  work.spend(entries.length);
  return entries;
}

function namesOf({ value }: Application): string[] {
  return typeof value === 'object' ? Object.keys(value) : [];
}

function hasField({ value }: Application, name: string): boolean {
  return typeof value === 'object' && Object.hasOwn(value, name);
}

function listOf(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function ownValue(schema: JsonObject, keyword: string): JsonValue | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

function firstOf<Item>(
  items: readonly Item[],
  judge: (item: Item) => Failure | undefined,
): Failure | undefined {
  for (const item of items) {
    const failure = judge(item);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
