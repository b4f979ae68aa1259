import { ProblemError } from '../platform/problem-error.ts';

/**
 * Node keeps only one of several `Host` or `Authorization` headers; which one to trust is not for us to guess.
 *
 * @throws ProblemError `validation_failed`
 */
export function checkRepeatedIdentity(rawHeaders: readonly string[]): void {
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts <= 1 && authorizations <= 1) return;
  throw new ProblemError(
    'validation_failed',
    'Send the Host header and the Authorization header only once.',
  );
}
