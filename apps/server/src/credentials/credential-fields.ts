import {
  credentialProperties,
  credentialPropertyValue,
  type SetConnectionBody,
  tokenProperty,
} from '@gatehouse/contract';
import { ProblemError } from '../platform/problem-error.ts';
import { credentialHeaders } from './credential-headers.ts';
import { findFieldsFault } from './credential-schema.ts';
import type { StoredCredential } from './stored-credential.ts';

/**
 * Turns what a user entered for an integration into what is stored.
 *
 * @param schema the integration's `credentialSchema`, or null.
 * @param input exactly one of `token` and `fields`, as the contract has checked.
 * @throws ProblemError `validation_failed` pointing at the field that does not fit.
 */
export function acceptCredential(schema: unknown, input: SetConnectionBody): StoredCredential {
  if (input.token !== undefined) return acceptToken(schema, input.token);
  if (input.fields !== undefined) return acceptFields(schema, input.fields);
  throw invalid('/token', 'Give exactly one of token and fields.');
}

function acceptToken(schema: unknown, token: string): StoredCredential {
  const properties = credentialProperties(schema);
  if (properties.length === 0) return { token };
  const property = tokenProperty(properties);
  if (property === undefined) throw needsFields();
  const fault = findFieldsFault(schema, {
    [property.name]: credentialPropertyValue(property.type, token),
  });
  if (fault?.isMissing) throw needsFields();
  if (fault !== undefined) throw invalid('/token', fault.message);
  return checkSendable(schema, { token }, '/token');
}

function acceptFields(
  schema: unknown,
  fields: NonNullable<SetConnectionBody['fields']>,
): StoredCredential {
  if (schema === null || schema === undefined) {
    throw invalid('/fields', 'This integration has no credential schema. Send a token.');
  }
  const fault = findFieldsFault(schema, fields);
  if (fault !== undefined) throw invalid(`/fields${fault.pointer}`, fault.message);
  return checkSendable(schema, { fields }, '/fields');
}

function checkSendable(
  schema: unknown,
  credential: StoredCredential,
  pointer: string,
): StoredCredential {
  if (
    credentialProperties(schema).length > 0 &&
    credentialHeaders(schema, credential) === undefined
  ) {
    throw invalid(pointer, 'A value that is sent must be visible ASCII without outer blanks.');
  }
  return credential;
}

function needsFields(): ProblemError {
  return invalid('/fields', 'This integration needs several fields. Send them as fields.');
}

function invalid(pointer: string, message: string): ProblemError {
  return new ProblemError('validation_failed', 'The credential does not fit the integration.', {
    errors: [{ pointer, code: 'invalid', message }],
  });
}
