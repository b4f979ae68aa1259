import * as z from 'zod';
import { READ_ONLY_FIELDS } from '../shared/bodies.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';
import { requestComponents, responseComponents } from './components.ts';

/** Formats that say enough; zod adds patterns of several hundred characters to them. */
const SELF_EXPLAINING = new Set(['uuid', 'date-time', 'email']);

/** The `$ref` of a named schema. */
export function schemaReference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function readOnlyProperties(names: JsonValue | undefined): JsonObject {
  if (!Array.isArray(names)) return {};
  return Object.fromEntries(names.map((name) => [String(name), { readOnly: true }]));
}

/**
 * Fits zod's output to a document: no `$schema` and `$id` inside it, responses open to new fields,
 * and fields that a write ignores marked as read-only.
 */
function tidy(value: JsonValue, isResponse: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => tidy(item, isResponse));
  if (!isJsonObject(value)) return value;
  const { $schema, $id, [READ_ONLY_FIELDS]: readOnly, ...rest } = value;
  if (isResponse && rest.additionalProperties === false) delete rest.additionalProperties;
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (typeof rest.format === 'string' && SELF_EXPLAINING.has(rest.format)) delete rest.pattern;
  const tidied = Object.fromEntries(
    Object.entries(rest).map(([key, child]) => [key, tidy(child, isResponse)]),
  );
  if (!isJsonObject(tidied.properties)) return tidied;
  return { ...tidied, properties: { ...tidied.properties, ...readOnlyProperties(readOnly) } };
}

function convert(components: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
  });
  const plain: JsonObject = JSON.parse(JSON.stringify(schemas));
  return tidy(plain, io === 'output');
}

/** All named schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function componentSchemas(): JsonObject {
  const requests = convert(requestComponents, 'input');
  const responses = convert(responseComponents, 'output');
  return { ...Object(requests), ...Object(responses) };
}

/**
 * The name under which a schema of the contract stands in the document.
 * @throws Error when the schema has no name, which is a fault of the component list.
 */
export function componentName(
  components: Readonly<Record<string, z.ZodType>>,
  schema: unknown,
): string {
  const entry = Object.entries(components).find(([, candidate]) => candidate === schema);
  if (!entry) throw new Error('A schema of the contract has no component name.');
  return entry[0];
}
