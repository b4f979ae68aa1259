import { ProblemError } from '../platform/problem-error.ts';

export function sessionNotFound(): ProblemError {
  return new ProblemError('session_not_found', 'There is no such open session; initialize again.');
}

/** @param left milliseconds until the token may begin a session there again. */
export function sessionRevoked(left: number): ProblemError {
  const detail = 'The session of this token was revoked; it may begin another one later.';
  return new ProblemError('forbidden', detail, {
    headers: { 'Retry-After': String(Math.ceil(left / 1000)) },
  });
}

export function routeGone(): ProblemError {
  return new ProblemError(
    'not_found',
    'The application or the integration was archived or detached.',
  );
}
