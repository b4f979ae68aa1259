import { createContext, Script } from 'node:vm';
import {
  credentialProperties,
  isCredentialHeader,
  isJsonObject,
  jsonPointer,
} from '@gatehouse/contract';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Milliseconds. References can multiply the work without bound. Wall-clock time, so it leaves room
 * for a busy machine: validation itself takes well under one.
 */
const VALIDATION_BUDGET = 100;

/**
 * Whoever wrote the schema wrote its patterns, and others choose what they are held against: RE2
 * takes linear time for all of them, where `RegExp` may backtrack for ever.
 */
const regExp = Object.assign(
  (pattern: string) => RE2JS.compile(RE2JS.translateRegExp(pattern)),
  // What ajv would write into generated source; it generates none here.
  { code: 'linearRegExp' },
);

/** `strict` off: annotations and `x-*` are allowed. No `loadSchema`: nothing is ever fetched. */
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
 * Refuses a credential schema that JSON Schema 2020-12 does not understand, that has a pattern with
 * lookaround or backreferences, or of which two properties would be sent in one header. Its shape is
 * the contract's to check.
 *
 * @throws ProblemError `validation_failed` at `/credentialSchema`.
 */
export function checkCredentialSchema(schema: unknown): void {
  if (compile(schema) === undefined) {
    throw invalidSchema(
      '/credentialSchema',
      'Must be a valid JSON Schema 2020-12, its patterns without lookaround and backreferences.',
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

/** What a schema says of a set of fields: nothing when they fit. */
export interface FieldsFault {
  /** RFC 6901 pointer into the fields. */
  readonly pointer: string;
  readonly message: string;
  /** The field at `pointer` is not there. */
  readonly isMissing: boolean;
}

/** Checks fields against a credential schema, within a bounded time. */
export function findFieldsFault(schema: unknown, fields: object): FieldsFault | undefined {
  const validate = compile(schema);
  if (validate === undefined) return faultOfAll('The credential schema is not valid.');
  const judge = () => validate(fields) === true;
  // On a busy machine another process may have had the first turn.
  const isValid = runBounded(judge) ?? runBounded(judge);
  if (isValid === undefined) return faultOfAll('Takes too long to check.');
  if (isValid) return undefined;
  const [error] = validate.errors ?? [];
  return error === undefined ? faultOfAll('Does not fit the schema.') : toFault(error);
}

function faultOfAll(message: string): FieldsFault {
  return { pointer: '', message, isMissing: false };
}

function compile(schema: unknown): ValidateFunction | undefined {
  if (!isJsonObject(schema) || '$async' in schema) return undefined;
  const described = { type: 'object', ...schema };
  try {
    return ajv.compile(described);
  } catch {
    return undefined;
  } finally {
    // Compiled schemas would otherwise stay for the life of the process.
    ajv.removeSchema(described);
  }
}

/** A script's time limit is the one thing that ends a computation half-way. */
function runBounded(validate: () => boolean): boolean | undefined {
  try {
    return (
      runner.runInContext(createContext({ validate }), { timeout: VALIDATION_BUDGET }) === true
    );
  } catch {
    return undefined;
  }
}

function toFault(error: ErrorObject): FieldsFault {
  const { instancePath, keyword, params, message = 'is not valid' } = error;
  if (keyword === 'required' && typeof params.missingProperty === 'string') {
    const pointer = instancePath + jsonPointer([params.missingProperty]);
    return { pointer, message: 'Required.', isMissing: true };
  }
  return { pointer: instancePath, message: `Value ${message}.`, isMissing: false };
}

function invalidSchema(pointer: string, message: string): ProblemError {
  return new ProblemError('validation_failed', 'The credential schema is not valid.', {
    errors: [{ pointer, code: 'invalid', message }],
  });
}
