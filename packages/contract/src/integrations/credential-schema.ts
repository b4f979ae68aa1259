import { credentialPropertyType } from '../rules/credential-property.ts';
import { isCredentialHeader } from '../shared/headers.ts';
import { boundedJsonObjectSchema, isJsonObject, type JsonObject } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const HEADER_PREFIX = /^[ -~]*$/;

/** Keywords whose values are data, in which `$ref` means nothing. */
const DATA_KEYWORDS = new Set(['const', 'default', 'enum', 'examples']);

interface Fault {
  readonly path: readonly string[];
  readonly message: string;
}

function headerFaults(name: string, property: JsonObject): Fault[] {
  const header = property['x-header'];
  const prefix = property['x-prefix'];
  const faults: Fault[] = [];
  if (header !== undefined && (typeof header !== 'string' || !isCredentialHeader(header))) {
    const message = 'Must name a header that may carry a credential.';
    faults.push({ path: ['properties', name, 'x-header'], message });
  }
  const isPrefix =
    typeof prefix === 'string' &&
    prefix.length <= limits.headerPrefix &&
    HEADER_PREFIX.test(prefix);
  if (prefix !== undefined && !isPrefix) {
    const message = `Must be at most ${limits.headerPrefix} characters of ASCII.`;
    faults.push({ path: ['properties', name, 'x-prefix'], message });
  }
  return faults;
}

function propertyFaults(schema: JsonObject, name: string, property: unknown): Fault[] {
  const path = ['properties', name];
  if (!isJsonObject(property)) return [{ path, message: 'Must be an object.' }];
  if (credentialPropertyType(schema, property)) return headerFaults(name, property);
  const { type, $ref } = property;
  if (type !== undefined || typeof $ref !== 'string') {
    const message = 'Must be string, number, integer or boolean.';
    return [{ path: [...path, 'type'], message }];
  }
  // One to another document is reported with all of its kind.
  if (!$ref.startsWith('#')) return [];
  const message = 'Must lead, as in #/$defs/key, to a string, number, integer or boolean.';
  return [{ path: [...path, '$ref'], message }];
}

function referenceFaults(value: unknown, path: readonly string[]): Fault[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const here = [...path, key];
    const isReference = (key === '$ref' || key === '$dynamicRef') && typeof child === 'string';
    if (isReference && !child.startsWith('#')) {
      return [{ path: here, message: 'Must not refer to another document.' }];
    }
    return DATA_KEYWORDS.has(key) ? [] : referenceFaults(child, here);
  });
}

function credentialSchemaFaults(schema: JsonObject): Fault[] {
  const faults = referenceFaults(schema, []);
  if (schema.$schema !== undefined && schema.$schema !== DIALECT) {
    faults.push({ path: ['$schema'], message: 'Must be JSON Schema 2020-12.' });
  }
  if (schema.type !== undefined && schema.type !== 'object') {
    faults.push({ path: ['type'], message: 'Must be object.' });
  }
  if (schema.properties === undefined) return faults;
  if (!isJsonObject(schema.properties)) {
    return [...faults, { path: ['properties'], message: 'Must be an object.' }];
  }
  const properties = Object.entries(schema.properties);
  if (properties.length > limits.jsonProperties) {
    const message = `Must not have more than ${limits.jsonProperties} properties.`;
    return [...faults, { path: ['properties'], message }];
  }
  return [
    ...faults,
    ...properties.flatMap(([name, property]) => propertyFaults(schema, name, property)),
  ];
}

/**
 * The shape and size of a `credentialSchema`: an object of simple properties, `x-header` and
 * `x-prefix` that are safe to send, no reference to another document. Whether it is a valid JSON
 * Schema is for a JSON Schema library to say.
 */
export const credentialSchemaSchema = boundedJsonObjectSchema.superRefine((schema, context) => {
  // The walk below recurses; what the bounds refused may nest too deep for it.
  if (context.issues.length > 0) return;
  for (const { path, message } of credentialSchemaFaults(schema)) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
});
