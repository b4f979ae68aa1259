import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';

/** A schema inside a schema, and the way to it. */
export interface Subschema {
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

/** Keywords of JSON Schema 2020-12 that take a schema. */
const SCHEMA_KEYWORDS = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const LIST_KEYWORDS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAP_KEYWORDS = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** A schema and every schema in it, the outer ones first. Whatever is not in the place of a schema is data. */
export function* subschemas(root: JsonObject): Generator<Subschema> {
  const pending: Subschema[] = [{ path: [], schema: root }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    pending.push(...childrenOf(next).reverse());
  }
}

function childrenOf({ path, schema }: Subschema): Subschema[] {
  return Object.entries(schema)
    .flatMap(([keyword, value]) => valuesOf(keyword, value))
    .flatMap(([keys, child]) =>
      isJsonObject(child) ? [{ path: [...path, ...keys], schema: child }] : [],
    );
}

function valuesOf(keyword: string, value: JsonValue): [path: string[], child: JsonValue][] {
  if (SCHEMA_KEYWORDS.has(keyword)) return [[[keyword], value]];
  const isParent =
    (MAP_KEYWORDS.has(keyword) && isJsonObject(value)) ||
    (LIST_KEYWORDS.has(keyword) && Array.isArray(value));
  if (!isParent || value === null || typeof value !== 'object') return [];
  return Object.entries(value).map(([name, child]) => [[keyword, name], child]);
}
