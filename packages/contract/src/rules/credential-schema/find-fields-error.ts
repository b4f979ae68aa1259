import type { JsonObject } from '../../shared/json.ts';
import { credentialErrorMessage } from '../credential-errors.ts';
import { type Failure, findFailure } from './schema-rules.ts';
import type { Fields } from './value-rules.ts';
import { createWork, type PatternMatcher, TooMuchWork } from './work.ts';

/** Why fields do not match a credential schema. */
export interface FieldsError {
  /** RFC 6901 pointer into the fields. */
  readonly pointer: string;
  readonly message: string;
  /** The field at `pointer` is missing. */
  readonly isMissing: boolean;
}

/**
 * Checks fields against a credential schema with a bounded amount of work, by the keywords of JSON
 * Schema 2020-12 that can apply to flat fields. `undefined` when they match.
 */
export function findFieldsError(
  schema: JsonObject,
  fields: Fields,
  matcher: PatternMatcher,
): FieldsError | undefined {
  const root: JsonObject = { type: 'object', ...schema };
  const application = { root, work: createWork(matcher), pointer: '', value: fields };
  try {
    const failure = findFailure(application, root);
    return failure && toFieldsError(failure);
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    const message = 'Checking against the credential schema takes too long.';
    return { pointer: '', message, isMissing: false };
  }
}

function toFieldsError({ pointer, keyword, limit }: Failure): FieldsError {
  const message = credentialErrorMessage(keyword, limit);
  return { pointer, message, isMissing: keyword === 'required' };
}
