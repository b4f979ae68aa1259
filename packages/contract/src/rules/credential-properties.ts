import { isHeaderValue } from '../shared/headers.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { type CredentialPropertyType, credentialPropertyType } from './credential-property.ts';

/** One property of a credential schema, and how its value is sent. */
export interface CredentialProperty {
  readonly name: string;
  readonly definition: JsonObject;
  /** `undefined` in schemas stored before types were looked up behind references. */
  readonly type: CredentialPropertyType | undefined;
  readonly isRequired: boolean;
  /** In lower case. Without one, the value is sent only when the property is the only one. */
  readonly header: string | undefined;
  readonly prefix: string | undefined;
}

/** The properties of a credential schema. Empty for `null` and for a schema without properties. */
export function credentialProperties(schema: unknown): readonly CredentialProperty[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const definition: JsonObject = isJsonObject(property) ? property : {};
    const { 'x-header': header, 'x-prefix': prefix } = definition;
    return {
      name,
      definition,
      type: credentialPropertyType(schema, definition),
      isRequired: required.includes(name),
      header: typeof header === 'string' ? header.toLowerCase() : undefined,
      prefix: typeof prefix === 'string' ? prefix : undefined,
    };
  });
}

/**
 * The property that a single token fills: the only one, else the one named `token`, else the only
 * required one. `undefined` if there is no such property.
 */
export function tokenProperty(
  properties: readonly CredentialProperty[],
): CredentialProperty | undefined {
  if (properties.length === 1) return properties[0];
  const named = properties.find(({ name }) => name === 'token');
  if (named !== undefined) return named;
  const required = properties.filter(({ isRequired }) => isRequired);
  return required.length === 1 ? required[0] : undefined;
}

/**
 * Whether a single token can be sent under a credential schema: it fills a property that is sent, and no
 * other property is required. Without properties it is sent as `Authorization: Bearer`.
 */
export function canSendToken(schema: unknown): boolean {
  const properties = credentialProperties(schema);
  if (properties.length === 0) return true;
  const filled = tokenProperty(properties);
  if (filled === undefined) return false;
  const isSent = filled.header !== undefined || properties.length === 1;
  const isComplete = properties.every((property) => property === filled || !property.isRequired);
  return isSent && isComplete && isHeaderValue(`${filled.prefix ?? ''}token`);
}

/** What a refusal says of such a schema in the mode `server_token`. */
export const CANNOT_SEND_TOKEN =
  'Must have a property that a single token fills and that is sent, and require no other: the mode server_token has one token.';
