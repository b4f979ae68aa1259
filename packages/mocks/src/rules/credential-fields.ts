import {
  credentialHeaders,
  credentialProperties,
  credentialPropertyValue,
  findFieldsError,
  type JsonObject,
  refusalTexts,
  type SetConnectionBody,
  tokenProperty,
} from '@gatehouse/contract';
import { Refusal } from '../http/refusal.ts';
import type { Credential } from '../state/rows.ts';

/**
 * The credential to store for what a user entered.
 *
 * @throws Refusal `validation_failed` pointing at the invalid field
 */
export function acceptCredential(
  schema: JsonObject | null,
  { token, fields }: SetConnectionBody,
): Credential {
  if (token !== undefined) return acceptToken(schema, token);
  if (schema === null) {
    throw invalid('/fields', 'This integration has no credential schema. Send a token.');
  }
  const given = fields ?? {};
  const error = findFieldsError(schema, given, matches);
  if (error) throw invalid(`/fields${error.pointer}`, error.message);
  return requireSendable(schema, { fields: given }, '/fields');
}

function acceptToken(schema: JsonObject | null, token: string): Credential {
  const properties = credentialProperties(schema);
  if (schema === null || properties.length === 0) return { token };
  const property = tokenProperty(properties);
  const error =
    property &&
    findFieldsError(
      schema,
      { [property.name]: credentialPropertyValue(property.type, token) },
      matches,
    );
  if (property === undefined || error?.isMissing) {
    throw invalid('/fields', 'This integration needs several fields. Send them as fields.');
  }
  if (error) throw invalid('/token', error.message);
  return requireSendable(schema, { token }, '/token');
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'u').test(text);
}

function requireSendable(schema: JsonObject, credential: Credential, pointer: string): Credential {
  if (credentialProperties(schema).length === 0 || isSendable(schema, credential))
    return credential;
  throw invalid(pointer, refusalTexts.unsendableValue);
}

/** Whether a stored credential can be sent under the integration's present schema. */
export function isSendable(schema: JsonObject | null, credential: Credential): boolean {
  return credentialHeaders(schema, credential) !== undefined;
}

function invalid(pointer: string, message: string): Refusal {
  return new Refusal('validation_failed', refusalTexts.credentialMismatch, {
    errors: [{ pointer, code: 'invalid', message }],
  });
}
