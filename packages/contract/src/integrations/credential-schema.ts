import { credentialPropertyType } from '../rules/credential-property.ts';
import { patternSize } from '../rules/credential-schema/pattern-size.ts';
import { type Subschema, subschemas } from '../rules/credential-schema/subschemas.ts';
import { resolveReference } from '../rules/json-reference.ts';
import { isCredentialHeader } from '../shared/headers.ts';
import { boundedJsonObjectSchema, isJsonObject, type JsonObject } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const HEADER_PREFIX = /^[ -~]*$/;

interface SchemaError {
  readonly path: readonly string[];
  readonly message: string;
}

function headerErrors(name: string, property: JsonObject): SchemaError[] {
  const header = property['x-header'];
  const prefix = property['x-prefix'];
  const errors: SchemaError[] = [];
  if (header !== undefined && (typeof header !== 'string' || !isCredentialHeader(header))) {
    const message = 'Must name a header that may carry a credential.';
    errors.push({ path: ['properties', name, 'x-header'], message });
  }
  const isPrefix =
    typeof prefix === 'string' &&
    prefix.length <= limits.headerPrefix &&
    HEADER_PREFIX.test(prefix);
  if (prefix !== undefined && !isPrefix) {
    const message = `Must be at most ${limits.headerPrefix} characters of ASCII.`;
    errors.push({ path: ['properties', name, 'x-prefix'], message });
  }
  return errors;
}

function propertyErrors(schema: JsonObject, name: string, property: unknown): SchemaError[] {
  const path = ['properties', name];
  if (!isJsonObject(property)) return [{ path, message: 'Must be an object.' }];
  if (credentialPropertyType(schema, property)) return headerErrors(name, property);
  const { type, $ref } = property;
  if (type !== undefined || typeof $ref !== 'string') {
    const message = 'Must be string, number, integer or boolean.';
    return [{ path: [...path, 'type'], message }];
  }
  // What points nowhere is reported by `keywordErrors`.
  if (!isSchema(resolveReference(schema, $ref))) return [];
  const message = 'Must point to a string, number, integer or boolean, as in #/$defs/key.';
  return [{ path: [...path, '$ref'], message }];
}

/** Keywords that Gatehouse does not apply. Accepted, they would promise a check that never happens. */
const UNSUPPORTED = ['$async', '$dynamicRef', '$recursiveRef', 'unevaluatedProperties'];

function keywordErrors(root: JsonObject, { path, schema }: Subschema): SchemaError[] {
  const errors = UNSUPPORTED.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => ({
    path: [...path, keyword],
    message: 'Is not supported.',
  }));
  if (path.length > 0 && schema.$id !== undefined) {
    errors.push({ path: [...path, '$id'], message: 'Only the whole schema may have an $id.' });
  }
  const { $ref } = schema;
  if (typeof $ref !== 'string') return errors;
  if (!$ref.startsWith('#')) {
    errors.push({ path: [...path, '$ref'], message: 'Must not refer to another document.' });
  } else if (!isSchema(resolveReference(root, $ref))) {
    errors.push({ path: [...path, '$ref'], message: 'Must point to a schema, as in #/$defs/key.' });
  }
  return errors;
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

function patternsOf({ schema }: Subschema): string[] {
  const { pattern, patternProperties } = schema;
  const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  return typeof pattern === 'string' ? [pattern, ...names] : names;
}

/** What bounds the work of checking a schema, and of checking fields against it. */
function sizeErrors(schemas: readonly Subschema[]): SchemaError[] {
  if (schemas.length > limits.schemas) {
    const message = `Must not have more than ${limits.schemas} schemas in it.`;
    return [{ path: [], message }];
  }
  const states = schemas.flatMap(patternsOf).reduce((sum, one) => sum + patternSize(one), 0);
  if (states <= limits.patternStates) return [];
  const message = `Its patterns are too large: together they may have ${limits.patternStates} states, and what repeats up to 10 times counts 10 times.`;
  return [{ path: [], message }];
}

/** The schemas in a schema, but at most one more than allowed. */
function firstSubschemas(root: JsonObject): Subschema[] {
  const found: Subschema[] = [];
  for (const subschema of subschemas(root)) {
    found.push(subschema);
    if (found.length > limits.schemas) break;
  }
  return found;
}

function credentialSchemaErrors(schema: JsonObject): SchemaError[] {
  const schemas = firstSubschemas(schema);
  const tooLarge = sizeErrors(schemas);
  if (tooLarge.length > 0) return tooLarge;
  const errors = schemas.flatMap((subschema) => keywordErrors(schema, subschema));
  if (schema.$schema !== undefined && schema.$schema !== DIALECT) {
    errors.push({ path: ['$schema'], message: 'Must be JSON Schema 2020-12.' });
  }
  if (schema.type !== undefined && schema.type !== 'object') {
    errors.push({ path: ['type'], message: 'Must be object.' });
  }
  if (schema.properties === undefined) return errors;
  if (!isJsonObject(schema.properties)) {
    return [...errors, { path: ['properties'], message: 'Must be an object.' }];
  }
  const properties = Object.entries(schema.properties);
  if (properties.length > limits.jsonProperties) {
    const message = `Must not have more than ${limits.jsonProperties} properties.`;
    return [...errors, { path: ['properties'], message }];
  }
  return [
    ...errors,
    ...properties.flatMap(([name, property]) => propertyErrors(schema, name, property)),
  ];
}

/** How an admin says where each value goes, for the texts of the fields that hold such a schema. */
export const HOW_VALUES_ARE_SENT =
  'In a property, `x-header` names the header in which its value is sent, such as `X-Api-Key`, and ' +
  '`x-prefix` is the text before the value, such as `Token ` with its space. A sole property without ' +
  '`x-header` is sent in `Authorization`, after its `x-prefix` or else after `Bearer `; of several, ' +
  'those without `x-header` are not sent.';

/**
 * Checks the shape and size of a `credentialSchema`: an object with simple properties, an `x-header`
 * and `x-prefix` that are safe to send, references that lead somewhere inside it, and only keywords
 * that fields are checked by. A JSON Schema library checks whether it is a valid JSON Schema.
 */
export const credentialSchemaSchema = boundedJsonObjectSchema.superRefine((schema, context) => {
  // The checks below are recursive, and a schema that exceeds the limits may be nested too deeply.
  if (context.issues.length > 0) return;
  for (const { path, message } of credentialSchemaErrors(schema)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
});
