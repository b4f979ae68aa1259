import { type Problem, problemCodes, problemType } from '@gatehouse/contract';
import { toDatabaseUnavailable } from '../platform/database/database-failure.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** Whatever was thrown, as a refusal: what is not one of ours says nothing of its cause. */
export function toProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  return (
    toDatabaseUnavailable(thrown) ??
    new ProblemError('internal_error', 'Something went wrong on our side.', { cause: thrown })
  );
}

/** The RFC 9457 body of a refusal. `instance` is the path without the query. */
export function problemBody(error: ProblemError, requestId: string, instance: string): Problem {
  const { status, title } = problemCodes[error.code];
  return {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    instance,
    code: error.code,
    requestId,
    ...(error.errors.length > 0 ? { errors: [...error.errors] } : {}),
  };
}

export function problemStatus(error: ProblemError): number {
  return problemCodes[error.code].status;
}

/** The path of a raw request target, without the query; a target that is no path is reported as `/`. */
export function instanceOf(target: string | undefined): string {
  const path = (target ?? '/').split('?', 1)[0] ?? '/';
  return path.startsWith('/') ? path : '/';
}
