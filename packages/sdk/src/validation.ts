// By the package's name, so that both entries have the same types and not copies of them.
import type { ResponseValidator, ValidatedResponse } from '@gatehouse/sdk';

/**
 * A schema of any library that follows Standard Schema 1, such as zod.
 */
export interface StandardSchema {
  readonly '~standard': {
    /** Answers `{ value }` or `{ issues }`, without a promise: the client does not wait for one. */
    readonly validate: (value: unknown) => unknown;
  };
}

/**
 * An operation of `@gatehouse/contract`, as far as it is needed here.
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
 * Makes a `validateResponse` of the contract's schemas, for tests and for programs that would rather
 * fail than go on with an answer of another shape. What a later version of the API adds is accepted.
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
  return (response) => faultsOf(operations.get(key(response.method, response.route)), response);
}

function faultsOf(
  operation: ContractOperation | undefined,
  { status, body }: ValidatedResponse,
): readonly string[] {
  const schema = operation?.responses[status];
  if (!isSchema(schema)) return [`The contract has no answer with status ${status}.`];
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
