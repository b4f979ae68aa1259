import { isHeaderValue } from '../shared/headers.ts';
import {
  type CredentialProperty,
  credentialProperties,
  tokenProperty,
} from './credential-properties.ts';

type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A credential as it was entered: a single token, or the fields of the credential schema. */
type EnteredCredential =
  | { readonly token: string }
  | { readonly fields: Readonly<Record<string, string | number | boolean>> };

/** RFC 6750 §2.1. */
function bearerHeaders(token: string): HeaderPairs {
  return [['authorization', `Bearer ${token}`]];
}

/**
 * The headers that send a stored credential according to the integration's current schema.
 * `undefined` when the credential no longer matches the schema: a required field is missing, no
 * property takes the token, or a value is not valid in a header.
 */
export function credentialHeaders(
  schema: unknown,
  credential: EnteredCredential,
): HeaderPairs | undefined {
  const properties = credentialProperties(schema);
  if (properties.length === 0) return headersWithoutSchema(credential);
  const fields = fieldsOf(properties, credential);
  if (fields === undefined) return undefined;

  const headers: [string, string][] = [];
  for (const property of properties) {
    const value = Object.hasOwn(fields, property.name) ? fields[property.name] : undefined;
    if (value === undefined) {
      if (property.isRequired) return undefined;
      continue;
    }
    const header = headerOf(property, properties.length === 1, String(value));
    if (header === undefined) continue;
    if (!isHeaderValue(header[1])) return undefined;
    headers.push(header);
  }
  return headers;
}

function headerOf(
  { header, prefix }: CredentialProperty,
  isSole: boolean,
  value: string,
): [string, string] | undefined {
  if (header !== undefined) return [header, `${prefix ?? ''}${value}`];
  return isSole ? ['authorization', `${prefix ?? 'Bearer '}${value}`] : undefined;
}

function fieldsOf(
  properties: readonly CredentialProperty[],
  credential: EnteredCredential,
): Readonly<Record<string, string | number | boolean>> | undefined {
  if ('fields' in credential) return credential.fields;
  const property = tokenProperty(properties);
  return property === undefined ? undefined : { [property.name]: credential.token };
}

/** Without a schema, a single value is sent as a bearer token. */
function headersWithoutSchema(credential: EnteredCredential): HeaderPairs | undefined {
  if ('token' in credential) return bearerHeaders(credential.token);
  const [value, ...others] = Object.values(credential.fields);
  if (value === undefined || others.length > 0 || !isHeaderValue(String(value))) return undefined;
  return bearerHeaders(String(value));
}
