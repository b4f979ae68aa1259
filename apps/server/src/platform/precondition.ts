import { ProblemError } from './problem-error.ts';

/**
 * What a write requires of the version that it changes, as named by `If-Match`: nothing, any
 * version, or one of these. An empty list matches no version.
 */
export type Precondition = 'none' | 'any' | { readonly versions: readonly number[] };

/**
 * Compares the precondition with the version of the locked row (RFC 9110 section 13.1.1).
 *
 * @throws ProblemError `precondition_failed`
 */
export function requireMatch(precondition: Precondition, version: number): void {
  if (precondition === 'none' || precondition === 'any') return;
  if (precondition.versions.includes(version)) return;
  throw new ProblemError(
    'precondition_failed',
    'The resource has changed since the version named in If-Match. Read it again, then repeat the change.',
  );
}
