import {
  credentialHeaders,
  credentialProperties,
  credentialPropertyValue,
  refusalTexts,
  type SetConnectionBody,
  tokenProperty,
} from '@gatehouse/contract';
import type { HeaderPairs } from '../egress/sender.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { findFieldsError } from './credential-schema.ts';
import type { StoredCredential } from './outcome.ts';

/**
 * Validates the credential that a user entered for an integration.
 *
 * @param schema the integration's `credentialSchema`, or null.
 * @param input exactly one of `token` and `fields`, already checked by the contract.
 * @returns the credential to store.
 * @throws ProblemError `validation_failed` pointing at the invalid field.
 */
export function toStoredCredential(schema: unknown, input: SetConnectionBody): StoredCredential {
  if (input.token !== undefined) return storedToken(schema, input.token);
  if (input.fields !== undefined) return storedFields(schema, input.fields);
  throw invalid('/token', 'Give exactly one of token and fields.');
}

function storedToken(schema: unknown, token: string): StoredCredential {
  const properties = credentialProperties(schema);
  if (properties.length === 0) return requireSendable(schema, { token }, '/token');
  const property = tokenProperty(properties);
  if (property === undefined) throw needsFields();
  const error = findFieldsError(schema, {
    [property.name]: credentialPropertyValue(property.type, token),
  });
  if (error?.isMissing) throw needsFields();
  if (error !== undefined) throw invalid('/token', error.message);
  return requireSendable(schema, { token }, '/token');
}

function storedFields(
  schema: unknown,
  fields: NonNullable<SetConnectionBody['fields']>,
): StoredCredential {
  if (schema === null || schema === undefined) {
    throw invalid('/fields', 'This integration has no credential schema. Send a token.');
  }
  const error = findFieldsError(schema, fields);
  if (error !== undefined) throw invalid(`/fields${error.pointer}`, error.message);
  return requireSendable(schema, { fields }, '/fields');
}

function requireSendable(
  schema: unknown,
  credential: StoredCredential,
  pointer: string,
): StoredCredential {
  const headers = credentialHeaders(schema, credential);
  if (headers !== undefined && !splitsBearerToken(headers)) return credential;
  throw invalid(pointer, refusalTexts.unsendableValue);
}

function needsFields(): ProblemError {
  return invalid('/fields', 'This integration needs several fields. Send them as fields.');
}

function invalid(pointer: string, message: string): ProblemError {
  return new ProblemError('validation_failed', refusalTexts.credentialMismatch, {
    errors: [{ pointer, code: 'invalid', message }],
  });
}

/**
 * Whether white space would split a bearer token: the upstream would read another one than was entered
 * (RFC 6750 section 2.1).
 */
export function splitsBearerToken(headers: HeaderPairs): boolean {
  return headers.some(([, value]) => /^bearer \S*\s/i.test(value));
}
