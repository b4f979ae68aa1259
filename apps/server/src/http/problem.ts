import { toDatabaseUnavailable } from '../platform/database/database-failure.ts';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Converts anything thrown to a problem. The problem for an unexpected error tells nothing about it; the
 * error itself is its `cause`.
 */
export function toProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  return (
    toDatabaseUnavailable(thrown) ??
    new ProblemError('internal_error', 'Something went wrong on our side.', { cause: thrown })
  );
}
