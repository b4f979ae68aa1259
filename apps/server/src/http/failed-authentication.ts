import { ProblemError } from '../platform/problem-error.ts';

/**
 * Counts an `unauthenticated` error against the caller's address; other errors are not counted.
 *
 * @param countFailure rejects with `rate_limited` once the address has used up its attempts.
 * @returns the error to respond with: that one, or else the given one.
 */
export async function limitFailedAuthentication(
  error: unknown,
  countFailure: () => Promise<void>,
): Promise<unknown> {
  if (!(error instanceof ProblemError) || error.code !== 'unauthenticated') return error;
  try {
    await countFailure();
    return error;
  } catch (limited) {
    return limited;
  }
}
