import {
  type CredentialPropertyType,
  credentialPropertyType,
  isJsonObject,
  type JsonObject,
} from '@gatehouse/contract';

/** One property of a credential schema and how its value is sent. */
export interface SchemaProperty {
  readonly name: string;
  /** `undefined` in schemas from before types were looked for behind references. */
  readonly type: CredentialPropertyType | undefined;
  readonly isRequired: boolean;
  /** In lower case; `undefined`: stored, and sent only if it is the sole property. */
  readonly header: string | undefined;
  readonly prefix: string | undefined;
}

/** The properties of a credential schema; none for `null` and for a schema that names none. */
export function schemaProperties(schema: unknown): readonly SchemaProperty[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const definition: JsonObject = isJsonObject(property) ? property : {};
    const { 'x-header': header, 'x-prefix': prefix } = definition;
    return {
      name,
      type: credentialPropertyType(schema, definition),
      isRequired: required.includes(name),
      header: typeof header === 'string' ? header.toLowerCase() : undefined,
      prefix: typeof prefix === 'string' ? prefix : undefined,
    };
  });
}

/**
 * The property a single token fills: the only one, else the one named `token`, else the only
 * required one. `undefined` when the schema has properties and none of these.
 */
export function tokenProperty(properties: readonly SchemaProperty[]): SchemaProperty | undefined {
  if (properties.length === 1) return properties[0];
  const named = properties.find(({ name }) => name === 'token');
  if (named !== undefined) return named;
  const required = properties.filter(({ isRequired }) => isRequired);
  return required.length === 1 ? required[0] : undefined;
}
