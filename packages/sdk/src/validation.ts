// Imported by the name of the package, so that both entries share the types.
import type { ResponseValidator, ValidatedResponse } from '@gatehouse/sdk';

/**
 * A schema of any library that follows Standard Schema 1, such as zod.
 */
export interface StandardSchema {
  readonly '~standard': {
    /** Returns `{ value }` or `{ issues }`. A promise is not supported. */
    readonly validate: (value: unknown) => unknown;
  };
}

/**
 * The properties of an operation of `@gatehouse/contract` that are used here.
 */
export interface ContractOperation {
  readonly method: string;
  /** Relative to `/api/v1`. */
  readonly path: string;
  /** Schemas by status. */
  readonly responses: Readonly<Record<number, unknown>>;
}

/**
 * Operations by resource and name.
 */
export type ContractOperations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Creates a `validateResponse` from the schemas of the contract, for tests and for programs that
 * must fail on a response of another shape. Fields added by a later version of the API are accepted.
 *
 * @example
 * ```ts
 * const gatehouse = new Gatehouse({ validateResponse: responseValidator(contract) });
 * ```
 */
export function responseValidator(contract: ContractOperations): ResponseValidator {
  const operations = new Map<string, ContractOperation>();
  for (const operation of Object.values(contract).flatMap(Object.values)) {
    if (isOperation(operation)) operations.set(key(operation.method, operation.path), operation);
  }
  return (response) => errorsOf(operations.get(key(response.method, response.route)), response);
}

function errorsOf(
  operation: ContractOperation | undefined,
  { status, body }: ValidatedResponse,
): readonly string[] {
  const schema = operation?.responses[status];
  if (!isSchema(schema)) return [`The contract has no response with status ${status}.`];
  const { issues } = schema['~standard'].validate(body) as Result;
  return (issues ?? []).map(({ path, message }) => `${pointer(path)}: ${message}.`);
}

interface Result {
  readonly issues?: readonly Issue[] | undefined;
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function pointer(path: Issue['path'] = []): string {
  return path.map((step) => `/${String(typeof step === 'object' ? step.key : step)}`).join('');
}

function key(method: string, path: string): string {
  return `${method} ${path}`;
}

function isOperation(value: unknown): value is ContractOperation {
  return typeof value === 'object' && value !== null && 'responses' in value && 'path' in value;
}

function isSchema(value: unknown): value is StandardSchema {
  return typeof value === 'object' && value !== null && '~standard' in value;
}
