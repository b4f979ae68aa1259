import {
  type Problem,
  type ProblemCode,
  type ProblemError,
  problemCodes,
  problemType,
} from '@gatehouse/contract';

export interface ProblemOptions {
  readonly detail?: string;
  readonly errors?: readonly ProblemError[];
  /** @defaultValue 'mock' */
  readonly requestId?: string;
  /** Beside those that the service sends with the code, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem document with its status, for a resolver of `mockRoute` to return. */
export interface ProblemResponse<Code extends ProblemCode> {
  readonly status: (typeof problemCodes)[Code]['status'];
  readonly body: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

const LATER = { 'Retry-After': '1' };

/** What the service sends beside the document of a code. */
const HEADERS: Partial<Record<ProblemCode, Readonly<Record<string, string>>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer' },
  idempotency_in_progress: LATER,
  rate_limited: LATER,
  credential_unavailable: LATER,
  database_unavailable: LATER,
  overloaded: LATER,
};

/**
 * Creates the problem document of a code, with the status of that code and the headers that the service
 * sends with it: `Retry-After` is one second.
 *
 * @example
 * ```ts
 * problem('rate_limited', { headers: { 'Retry-After': '30' } });
 * ```
 */
export function problem<const Code extends ProblemCode>(
  code: Code,
  { detail, errors, requestId = 'mock', headers = {} }: ProblemOptions = {},
): ProblemResponse<Code> {
  const { status, title } = problemCodes[code];
  return {
    status,
    body: {
      type: problemType(code),
      title,
      status,
      ...(detail === undefined ? {} : { detail }),
      code,
      requestId,
      ...(errors === undefined ? {} : { errors: [...errors] }),
    },
    headers: { ...without(HEADERS[code] ?? {}, headers), ...headers },
  };
}

/** The headers that are not replaced by others, however those are spelt. */
function without(
  headers: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaced = new Headers(others);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !replaced.has(name)));
}
