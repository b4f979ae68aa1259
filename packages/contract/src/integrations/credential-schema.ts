import { credentialPropertyType } from '../rules/credential-property.ts';
import { isCredentialHeader } from '../shared/headers.ts';
import { boundedJsonObjectSchema, isJsonObject, type JsonObject } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const HEADER_PREFIX = /^[ -~]*$/;

/** Keywords whose values are data, where `$ref` has no meaning. */
const DATA_KEYWORDS = new Set(['const', 'default', 'enum', 'examples']);

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
  // References to other documents are reported by `referenceErrors`.
  if (!$ref.startsWith('#')) return [];
  const message = 'Must point to a string, number, integer or boolean, as in #/$defs/key.';
  return [{ path: [...path, '$ref'], message }];
}

function referenceErrors(value: unknown, path: readonly string[]): SchemaError[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const here = [...path, key];
    const isReference = (key === '$ref' || key === '$dynamicRef') && typeof child === 'string';
    if (isReference && !child.startsWith('#')) {
      return [{ path: here, message: 'Must not refer to another document.' }];
    }
    return DATA_KEYWORDS.has(key) ? [] : referenceErrors(child, here);
  });
}

function credentialSchemaErrors(schema: JsonObject): SchemaError[] {
  const errors = referenceErrors(schema, []);
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

/**
 * Checks the shape and size of a `credentialSchema`: an object with simple properties, an `x-header`
 * and `x-prefix` that are safe to send, and no references to other documents. A JSON Schema library
 * checks whether it is a valid JSON Schema.
 */
export const credentialSchemaSchema = boundedJsonObjectSchema.superRefine((schema, context) => {
  // The checks below are recursive, and a schema that exceeds the limits may be nested too deeply.
  if (context.issues.length > 0) return;
  for (const { path, message } of credentialSchemaErrors(schema)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
});
