import * as z from 'zod';
import { readOnlyFields } from '../shared/bodies.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';
import { requestComponents, responseComponents } from './components.ts';
import { describeComponent, OPEN_ENUM } from './descriptions.ts';

/** Formats that need no pattern. Those that zod adds are several hundred characters long. */
const WITHOUT_PATTERN = new Set(['uuid', 'date-time', 'email']);

/** The `$ref` of a named schema. */
export function schemaReference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Marks the fields that a write takes and does not set. */
function addReadOnlyProperties({ zodSchema, jsonSchema }: Converted): void {
  const readOnly = readOnlyFields.get(zodSchema);
  if (!readOnly) return;
  const names = [...readOnly.fixed, ...readOnly.moving];
  const properties = Object.fromEntries(names.map((name) => [name, { readOnly: true }]));
  jsonSchema.properties = { ...jsonSchema.properties, ...properties };
}

type Converted = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0];

/**
 * Adapts zod's output to the document: removes `$schema` and `$id`, and allows new fields and values in
 * responses. Defaults in bodies become words: openapi-typescript takes a field with one for required.
 */
function adapt(value: JsonValue, isResponse: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => adapt(item, isResponse));
  if (!isJsonObject(value)) return value;
  const { $schema, $id, ...rest } = value;
  if (isResponse && rest.additionalProperties === false) delete rest.additionalProperties;
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  if (isResponse && Array.isArray(rest.enum)) {
    rest.description = [rest.description, OPEN_ENUM].filter(Boolean).join(' ');
  }
  if (!isResponse && rest.default !== undefined && !isJsonObject(rest.default)) {
    const standard = `Default: \`${JSON.stringify(rest.default).replaceAll('"', '')}\`.`;
    rest.description = [rest.description, standard].filter(Boolean).join(' ');
    delete rest.default;
  }
  if (typeof rest.format === 'string' && WITHOUT_PATTERN.has(rest.format)) delete rest.pattern;
  return Object.fromEntries(
    Object.entries(rest).map(([key, child]) => [key, adapt(child, isResponse)]),
  );
}

function convert(
  components: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): [name: string, schema: JsonObject][] {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    override: addReadOnlyProperties,
    uri: (id) => `#/components/schemas/${id}`,
  });
  const plain: Record<string, JsonObject> = JSON.parse(JSON.stringify(schemas));
  return Object.entries(plain).map(([name, schema]) => [
    name,
    Object(adapt(describeComponent(name, schema), io === 'output')),
  ]);
}

/** All named schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function componentSchemas(): Record<string, JsonObject> {
  return Object.fromEntries([
    ...convert(requestComponents, 'input'),
    ...convert(responseComponents, 'output'),
  ]);
}

/**
 * The component name of a schema of the contract.
 * @throws Error when the schema is missing from the list of components.
 */
export function componentName(
  components: Readonly<Record<string, z.ZodType>>,
  schema: unknown,
): string {
  const entry = Object.entries(components).find(([, candidate]) => candidate === schema);
  if (!entry) throw new Error('A schema of the contract has no component name.');
  return entry[0];
}
