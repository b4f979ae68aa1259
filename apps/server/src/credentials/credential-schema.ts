import { createContext, Script } from 'node:vm';
import {
  credentialErrorMessage,
  credentialProperties,
  isCredentialHeader,
  isJsonObject,
  jsonPointer,
} from '@gatehouse/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Milliseconds for one validation, which references can otherwise multiply without bound. It is
 * wall-clock time and so generous for a busy machine: validation takes well under 1 ms.
 */
const VALIDATION_TIMEOUT = 100;

/**
 * Administrators write the patterns and users choose the values. RE2 takes linear time for every
 * pattern, where `RegExp` may backtrack for ever.
 */
const regExp = Object.assign(
  (pattern: string) => RE2JS.compile(RE2JS.translateRegExp(pattern)),
  // Only used in source that ajv generates for standalone validation, which we do not use.
  { code: 'linearRegExp' },
);

/** Not `strict`, so that annotations and `x-*` are allowed. Without `loadSchema` nothing is ever fetched. */
const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
  code: { regExp },
});
const runner = new Script('validate()');

/**
 * Checks that a credential schema is valid JSON Schema 2020-12, that no pattern uses lookaround or
 * backreferences, and that no two properties are sent in the same header. The contract has already
 * checked its shape.
 *
 * @throws ProblemError `validation_failed` at `/credentialSchema`.
 */
export function checkCredentialSchema(schema: unknown): void {
  if (compile(schema) === undefined) {
    throw invalidSchema(
      '/credentialSchema',
      'Must be a valid JSON Schema 2020-12. Patterns must not use lookaround or backreferences.',
    );
  }
  const seen = new Set<string>();
  for (const { name, header } of credentialProperties(schema)) {
    if (header === undefined) continue;
    const pointer = jsonPointer(['credentialSchema', 'properties', name, 'x-header']);
    if (!isCredentialHeader(header)) {
      throw invalidSchema(pointer, 'Must name a header that may carry a credential.');
    }
    if (seen.has(header))
      throw invalidSchema(pointer, 'Must not be the header of another property.');
    seen.add(header);
  }
}

/** Why fields do not match a credential schema. */
export interface FieldsError {
  /** RFC 6901 pointer into the fields. */
  readonly pointer: string;
  readonly message: string;
  /** The field at `pointer` is missing. */
  readonly isMissing: boolean;
}

/** Validates fields against a credential schema in limited time; `undefined` when they match. */
export function findFieldsError(schema: unknown, fields: object): FieldsError | undefined {
  const validate = compile(schema);
  if (validate === undefined) return generalError('The credential schema is not valid.');
  const check = () => validate(fields) === true;
  // On a busy machine the first attempt may time out before it gets to run.
  const isValid = runWithTimeout(check) ?? runWithTimeout(check);
  if (isValid === undefined) {
    return generalError('Checking against the credential schema takes too long.');
  }
  if (isValid) return undefined;
  const [error] = validate.errors ?? [];
  return error === undefined
    ? generalError('Does not match the credential schema.')
    : toFieldsError(error);
}

function generalError(message: string): FieldsError {
  return { pointer: '', message, isMissing: false };
}

function compile(schema: unknown): ValidateFunction | undefined {
  if (!isJsonObject(schema) || '$async' in schema) return undefined;
  const objectSchema = { type: 'object', ...schema };
  try {
    return ajv.compile(objectSchema);
  } catch {
    return undefined;
  } finally {
    // ajv would otherwise keep the compiled schema for the life of the process.
    ajv.removeSchema(objectSchema);
  }
}

/** Only the time limit of a script can interrupt a synchronous computation. */
function runWithTimeout(validate: () => boolean): boolean | undefined {
  try {
    return (
      runner.runInContext(createContext({ validate }), { timeout: VALIDATION_TIMEOUT }) === true
    );
  } catch {
    return undefined;
  }
}

function toFieldsError({ instancePath, keyword, params }: ErrorObject): FieldsError {
  if (keyword === 'required' && typeof params.missingProperty === 'string') {
    const pointer = instancePath + jsonPointer([params.missingProperty]);
    const message = credentialErrorMessage(keyword, params.missingProperty);
    return { pointer, message, isMissing: true };
  }
  const limit: unknown = params.limit ?? params.type ?? params.multipleOf;
  const message = credentialErrorMessage(keyword, limit);
  return { pointer: instancePath, message, isMissing: false };
}

function invalidSchema(pointer: string, message: string): ProblemError {
  return new ProblemError('validation_failed', 'The credential schema is not valid.', {
    errors: [{ pointer, code: 'invalid', message }],
  });
}
