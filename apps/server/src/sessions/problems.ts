import { ProblemError } from '../platform/problem-error.ts';

export function sessionNotFound(): ProblemError {
  return new ProblemError('session_not_found', 'There is no such open session; initialize again.');
}

/** @param blockedFor milliseconds until the token may begin a session there again. */
export function tokenBlocked(blockedFor: number): ProblemError {
  const detail = 'The session of this token was revoked; it may begin another one later.';
  return new ProblemError('forbidden', detail, {
    headers: { 'Retry-After': String(Math.ceil(blockedFor / 1000)) },
  });
}

export function routeGone(): ProblemError {
  return new ProblemError(
    'not_found',
    'The application or the integration was archived or detached.',
  );
}
