import * as z from 'zod';
import { readOnlyFields } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../shared/json.ts';
import { problemSchema } from '../shared/problem.ts';
import { describeFields, OPEN_ENUM } from './descriptions.ts';
import { operations } from './operations.ts';

/** Formats that need no pattern. Those that zod adds are several hundred characters long. */
const WITHOUT_PATTERN = new Set(['uuid', 'date-time', 'email']);

/** The `$ref` of a named schema. */
export function schemaReference(name: string): JsonObject {
  return { $ref: REFERENCE + name };
}

/**
 * Adds the text of a component without a description, and marks the fields that a write takes and does
 * not set.
 */
function complete({ zodSchema, jsonSchema }: Converted): void {
  const text = components.get(zodSchema)?.description;
  if (text !== undefined) jsonSchema.description ??= text;
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

type Direction = 'request' | 'response';

const REFERENCE = '#/components/schemas/';

/** Every named schema, as it is in that direction. */
function convert(direction: Direction): Map<string, JsonObject> {
  const { schemas } = z.toJSONSchema(components, {
    io: direction === 'request' ? 'input' : 'output',
    unrepresentable: 'any',
    override: complete,
    uri: (id) => REFERENCE + id,
  });
  const plain: Record<string, JsonObject> = JSON.parse(JSON.stringify(schemas));
  return new Map(
    Object.entries(plain).map(([name, schema]) => [
      name,
      Object(adapt(describeFields(schema), direction === 'response')),
    ]),
  );
}

/** Adds the schema of that name, and those that it refers to. */
function collect(name: string, all: Map<string, JsonObject>, into: Map<string, JsonObject>): void {
  const schema = all.get(name);
  if (schema === undefined || into.has(name)) return;
  into.set(name, schema);
  for (const [, referred = ''] of JSON.stringify(schema).matchAll(
    /"#\/components\/schemas\/(\w+)"/g,
  )) {
    collect(referred, all, into);
  }
}

/** The named schemas of the bodies of requests, or of responses, as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function componentsOf(direction: Direction): Record<string, JsonObject> {
  const bodies = operations().flatMap(({ hasBody, body, response }) => {
    if (direction === 'request') return hasBody ? [body] : [];
    return response === undefined ? [] : [response];
  });
  if (direction === 'response') bodies.push(problemSchema);
  const all = convert(direction);
  const found = new Map<string, JsonObject>();
  for (const body of bodies) collect(componentName(body), all, found);
  return Object.fromEntries(found);
}

/** All named schemas. One that both directions have is that of responses, which take more. */
export function componentSchemas(): Record<string, JsonObject> {
  return { ...componentsOf('request'), ...componentsOf('response') };
}

/** @throws Error for a schema that is not in {@link components}. */
export function componentName(schema: unknown): string {
  const entry = components.get(schema as z.ZodType);
  if (!entry?.id) throw new Error('A schema of a body has no name: register it in `components`.');
  return entry.id;
}
