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
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem document with its status, for a resolver of `mockRoute` to return. */
export interface ProblemResponse<Code extends ProblemCode> {
  readonly status: (typeof problemCodes)[Code]['status'];
  readonly body: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates the problem document of a code, with the status of that code.
 *
 * @example
 * ```ts
 * problem('rate_limited', { headers: { 'Retry-After': '1' } });
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
    headers,
  };
}
