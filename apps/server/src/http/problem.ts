import { toDatabaseUnavailable } from '../platform/database/database-failure.ts';
import { ProblemError } from '../platform/problem-error.ts';

/** Converts anything thrown to a problem. An error that is not ours keeps its cause to itself. */
export function toProblem(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  return (
    toDatabaseUnavailable(thrown) ??
    new ProblemError('internal_error', 'Something went wrong on our side.', { cause: thrown })
  );
}
