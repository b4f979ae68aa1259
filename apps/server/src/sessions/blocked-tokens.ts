import { ProblemError } from '../platform/problem-error.ts';

/** @param blockedFor milliseconds until the token may begin a session, or get a lease, there again. */
export function tokenBlocked(
  blockedFor: number,
  kind: 'session' | 'lease' = 'session',
): ProblemError {
  const verb = kind === 'session' ? 'begin' : 'get';
  const detail = `The ${kind} of this token was revoked; it may ${verb} another one later.`;
  return new ProblemError('forbidden', detail, {
    headers: { 'Retry-After': String(Math.ceil(blockedFor / 1000)) },
  });
}
